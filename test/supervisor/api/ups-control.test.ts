import { expect } from 'chai';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import type { ControlDependencies } from '../../../supervisor/api/ups-control.js';
import { controlAnswers } from '../../../supervisor/api/ups-control.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';

describe('commands for a UPS from the API worker', () => {
  const control = { allowedCommands: ['beeper.mute'], allowedVariables: [], timeoutMs: 5_000 };
  const configuration = { ups: [{ policy: { groupId: 'office' }, control }] } as unknown as Configuration;
  let answer: ((outcome: unknown) => void)[];
  let done: RecordedEvent[];
  let refused: RecordedEvent[];
  let serve: ReturnType<typeof controlAnswers>;
  beforeEach(() => {
    answer = [];
    done = [];
    refused = [];
    const sources: ControlDependencies = {
      configuration: () => configuration,
      poller: (group) =>
        group === 'office'
          ? { request: () => new Promise((resolve) => answer.push(resolve as (outcome: unknown) => void)) }
          : undefined,
      requestSelfTest: () => Promise.resolve({ ok: true, value: { command: 'test.battery.start' } }),
      record: (event) => void done.push(event),
      recordRefused: (event) => void refused.push(event),
    };
    serve = controlAnswers(sources);
  });
  const run = (command = 'beeper.mute') =>
    serve['control.run']({ group: 'office', principal: 'user:alice', command, value: null });

  it('wait at its poller in a number that leaves room for the plan, and again when there is room', async () => {
    const first = run();
    for (let times = 1; times < 64; times += 1) void run();
    const one = await run();
    expect(one.ok ? 'done' : one.error.code).to.equal('NOT_PERMITTED');
    expect(answer).to.have.length(64);
    answer[0]?.({ ok: true, value: { output: '' } });
    expect((await first).ok).to.equal(true);
    void run();
    expect(answer).to.have.length(65);
  });

  it('are recorded as done or as refused, without control characters', async () => {
    const principal = 'user:\u001b[2Jalice\n';
    await serve['control.run']({ group: 'office', principal, command: 'load.off', value: null });
    const order = run();
    answer[0]?.({ ok: true, value: { output: '' } });
    await order;
    expect(refused.map(({ detail }) => detail)).to.deep.equal(['user:?[2Jalice?: run load.off: denied']);
    expect(done.map(({ detail }) => detail)).to.deep.equal(['user:alice: run beeper.mute: ok']);
  });
});
