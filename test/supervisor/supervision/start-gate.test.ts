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

  it('lets four through at once', () => {
    crowd();
    expect(begun).to.deep.equal([0, 1, 2, 3]);
  });

  it('lets the next through for each that is up, in the order in which they came', () => {
    const gate = crowd();
    leave(gate, 2);
    leave(gate, 0);
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('lets what feeds this host through next, then what is on battery', () => {
    const gate = crowd();
    const urgent = [1, 1, 0] as const;
    urgent.forEach((haste, index) => gate.enter({}, haste, () => begun.push(100 + index)));
    for (const up of [0, 1, 2]) leave(gate, up);
    expect(begun.slice(4)).to.deep.equal([102, 100, 101]);
  });

  it('lets the others through one time in four, though urgent ones come without end', () => {
    const gate = crowd();
    for (let turn = 0; turn < 12; turn += 1) {
      gate.enter({}, 0, () => begun.push(100));
      gate.enter({}, 0, () => begun.push(100));
      nowMs += 250;
      gate.tick();
    }
    expect(begun.slice(0, 12)).to.deep.equal([0, 1, 2, 3, 100, 100, 100, 4, 100, 100, 100, 5]);
  });

  it('forgets one that wants no turn any more', () => {
    const gate = crowd();
    leave(gate, 4);
    leave(gate, 0);
    expect(begun).to.deep.equal([0, 1, 2, 3, 5]);
  });

  it('waits a second for one that does not come up, and no longer', () => {
    const gate = crowd();
    nowMs = 999;
    gate.tick();
    expect(begun).to.have.length(4);
    nowMs = 1_000;
    gate.tick();
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('does not count one twice that leaves after it was given up', () => {
    const gate = crowd();
    nowMs = 1_000;
    gate.tick();
    leave(gate, 0);
    expect(begun).to.have.length(8);
  });
});
