import { expect } from 'chai';
import type { Place } from '../../../supervisor/workers/poller-placement.js';
import { placeFor } from '../../../supervisor/workers/poller-placement.js';

describe('the places of pollers', () => {
  const fleet = (size: number, maxPollers = 4): readonly Place[] => {
    const places: Place[] = [];
    while (places.length < size) places.push(placeFor(places, maxPollers));
    return places;
  };
  const count = (names: readonly string[]): ReadonlyMap<string, number> => {
    const found = new Map<string, number>();
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
    return found;
  };

  it('are a process for each UPS until there are more UPSes than processes', () => {
    expect(fleet(5).map(({ process }) => process)).to.deep.equal([
      'nut-1',
      'nut-2',
      'nut-3',
      'nut-4',
      'nut-1',
    ]);
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

  it('are released by a removed UPS and used by the next new one', () => {
    const places = fleet(8).filter(({ process }, index) => process !== 'nut-3' || index < 4);
    expect(placeFor(places, 4)).to.deep.equal({ process: 'nut-3', lane: null });
  });

  it('are as many processes as the configuration allows', () => {
    expect(count(fleet(10, 1).map(({ process }) => process)).size).to.equal(1);
  });
});
