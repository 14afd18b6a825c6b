import { expect } from 'chai';
import type { Place } from '../../../supervisor/workers/poller-placement.js';
import { placeFor } from '../../../supervisor/workers/poller-placement.js';

describe('the places of pollers', () => {
  const fleet = (size: number, maxPollers = 4): readonly Place[] => {
    const places: Place[] = [];
    while (places.length < size) places.push(placeFor(places, false, maxPollers));
    return places;
  };
  const count = (names: readonly string[]): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
    return found;
  };

  it('are separate threads in one process for 16 UPSes, and then in a second process', () => {
    const places = fleet(17);
    expect(places.slice(0, 16).every(({ process }) => process === 'nut-1')).to.equal(true);
    expect(places[16]).to.deep.equal({ process: 'nut-2', lane: null });
  });

  it('are a separate process for the UPSes that power this host', () => {
    const places = fleet(40);
    expect(placeFor(places, true, 4)).to.deep.equal({ process: 'nut-local', lane: null });
    expect(fleet(1, 1)).to.deep.equal([{ process: 'nut-1', lane: null }]);
  });

  it('are separate threads for 64 UPSes', () => {
    expect(fleet(64).every(({ lane }) => lane === null)).to.equal(true);
    expect(fleet(65).at(-1)?.lane).to.equal('nut-1/1');
  });

  it('are 96 threads for 1,000 UPSes, which are spread evenly', () => {
    const places = fleet(1_000);
    const alone = places.filter(({ lane }) => lane === null);
    const lanes = count(places.flatMap(({ lane }) => lane ?? []));
    expect(alone.length + lanes.size).to.equal(96);
    expect(Math.max(...lanes.values()) - Math.min(...lanes.values())).to.be.at.most(1);
    expect([...count(places.map(({ process }) => process)).values()]).to.deep.equal([250, 250, 250, 250]);
  });

  it('include one that a removed poller left free', () => {
    const places = fleet(40).filter((_, index) => index !== 20);
    expect(placeFor(places, false, 4)).to.deep.equal({ process: 'nut-2', lane: null });
  });

  it('are as many processes as the configuration allows', () => {
    expect(count(fleet(100, 1).map(({ process }) => process)).size).to.equal(1);
  });
});
