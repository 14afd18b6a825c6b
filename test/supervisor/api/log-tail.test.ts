import { expect } from 'chai';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { AskHandlerDependencies } from '../../../supervisor/api/ask-handlers.js';
import { askHandlers } from '../../../supervisor/api/ask-handlers.js';
import { FakeTime } from '../../fixtures/fake-time.js';

describe('the request for the last lines of the log', () => {
  it('is answered once in two seconds, and names who asks in the log', async () => {
    const time = new FakeTime();
    const logLines: string[] = [];
    let reads = 0;
    const { asks } = askHandlers({
      clock: time,
      log: loggerTo('supervisor', time, ({ message }) => void logLines.push(message)),
      logTail: () => {
        reads += 1;
        return Promise.resolve({ ok: true, value: { lines: ['a'] } });
      },
    } as unknown as AskHandlerDependencies);
    const ask = () => asks['log.tail']({ principal: 'apikey:ops' });
    expect(await ask()).to.deep.equal({ ok: true, value: { lines: ['a'] } });
    await time.pass(1_999);
    expect(await ask()).to.have.nested.property('error.code', 'CONFLICT');
    await time.pass(1);
    expect((await ask()).ok).to.equal(true);
    expect([reads, logLines]).to.deep.equal([
      2,
      ['apikey:ops: requested a support archive', 'apikey:ops: requested a support archive'],
    ]);
  });
});
