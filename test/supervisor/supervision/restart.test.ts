import { expect } from 'chai';
import { nextRestart, noHistory } from '../../../supervisor/supervision/restart.js';

const minute = 60_000;

describe('A restart', () => {
  const table: readonly { readonly lives: readonly number[]; readonly delays: readonly number[] }[] = [
    { lives: [0], delays: [0] },
    { lives: [0, 0, 0, 0, 0, 0, 0, 0], delays: [0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000] },
    { lives: [minute - 1, minute - 1, minute - 1], delays: [0, 1000, 2000] },
    { lives: [minute, minute, 24 * 60 * minute], delays: [0, 0, 0] },
    { lives: [0, 0, 0, 0, minute, 0, 0], delays: [0, 1000, 2000, 4000, 0, 1000, 2000] },
  ];

  for (const { lives, delays } of table) {
    it(`after lives of ${lives.join(', ')} ms starts after ${delays.join(', ')} ms`, () => {
      let history = noHistory;
      const seen = lives.map((readyMs) => {
        const restart = nextRestart(history, readyMs, 30_000);
        ({ history } = restart);
        return restart.delayMs;
      });
      expect(seen).to.deep.equal(delays);
    });
  }

  it('never waits longer than half a minute, whatever the history is', () => {
    let history = noHistory;
    for (let life = 0; life < 5000; life += 1) {
      const restart = nextRestart(history, 0, 30_000);
      ({ history } = restart);
      expect(restart.delayMs).to.be.within(0, 30_000);
    }
  });

  it('of a worker with a shorter limit starts sooner', () => {
    let history = noHistory;
    const delays = Array.from({ length: 5 }, () => {
      const restart = nextRestart(history, 0, 2_000);
      ({ history } = restart);
      return restart.delayMs;
    });
    expect(delays).to.deep.equal([0, 1_000, 2_000, 2_000, 2_000]);
  });
});
