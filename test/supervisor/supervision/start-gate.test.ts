import { expect } from 'chai';
import { StartGate } from '../../../supervisor/supervision/start-gate.js';

describe('the gate before a start', () => {
  const people = Array.from({ length: 10 }, (_, number) => ({ number }));
  let nowMs = 0;
  let begun: number[] = [];
  const crowd = (): StartGate => {
    nowMs = 0;
    begun = [];
    const gate = new StartGate(() => nowMs);
    for (const who of people) gate.enter(who, 2, () => begun.push(who.number));
    return gate;
  };
  const leave = (gate: StartGate, number: number): void => gate.leave(people[number] ?? {});

  it('admits four immediately', () => {
    crowd();
    expect(begun).to.deep.equal([0, 1, 2, 3]);
  });

  it('admits the next for each that is up, in the order of arrival', () => {
    const gate = crowd();
    leave(gate, 2);
    leave(gate, 0);
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('admits pollers that feed this host next, then those on battery', () => {
    const gate = crowd();
    const urgent = [1, 1, 0] as const;
    urgent.forEach((haste, index) => gate.enter({}, haste, () => begun.push(100 + index)));
    for (const up of [0, 1, 2]) leave(gate, up);
    expect(begun.slice(4)).to.deep.equal([102, 100, 101]);
  });

  it('admits the others one time in four, even when urgent ones arrive without end', () => {
    const gate = crowd();
    for (let turn = 0; turn < 12; turn += 1) {
      gate.enter({}, 0, () => begun.push(100));
      gate.enter({}, 0, () => begun.push(100));
      nowMs += 250;
      gate.tick();
    }
    expect(begun.slice(0, 12)).to.deep.equal([0, 1, 2, 3, 100, 100, 100, 4, 100, 100, 100, 5]);
  });

  it('removes one that leaves before its turn', () => {
    const gate = crowd();
    leave(gate, 4);
    leave(gate, 0);
    expect(begun).to.deep.equal([0, 1, 2, 3, 5]);
  });

  it('waits one second for one that does not come up', () => {
    const gate = crowd();
    nowMs = 999;
    gate.tick();
    expect(begun).to.have.length(4);
    nowMs = 1_000;
    gate.tick();
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('does not count one twice that leaves after its wait is over', () => {
    const gate = crowd();
    nowMs = 1_000;
    gate.tick();
    leave(gate, 0);
    expect(begun).to.have.length(8);
  });
});
