import { expect } from 'chai';
import type { AskHandlerDependencies } from '../../../supervisor/api/ask-handlers.js';
import { askHandlers } from '../../../supervisor/api/ask-handlers.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { idleLog } from '../../fixtures/idle-parts.js';

describe('the check of the way back', () => {
  it('is answered as often as a correct API worker asks, and costs a hostile one nothing more', async () => {
    const time = new FakeTime();
    let checks = 0;
    const { asks } = askHandlers({
      ...{ clock: time, log: idleLog },
      recoveryCheck: () => {
        checks += 1;
        return { reason: '', machines: [] };
      },
    } as unknown as AskHandlerDependencies);
    const answers = async (times: number, everyMs: number) => {
      const ends: string[] = [];
      for (let number = 0; number < times; number += 1) {
        const outcome = await asks['recovery.check']({});
        ends.push(outcome.ok ? 'answered' : outcome.error.code);
        await time.pass(everyMs);
      }
      return ends;
    };
    expect(new Set(await answers(100, 250))).to.deep.equal(new Set(['answered']));
    checks = 0;
    expect(await answers(3_000, 1)).to.include('CONFLICT');
    expect(checks).to.be.at.most(20);
    await time.pass(250);
    expect(await answers(1, 0)).to.deep.equal(['answered']);
  });
});
