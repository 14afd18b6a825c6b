import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import { SequenceRecord } from '../../../supervisor/sequence/journal/record.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { failureOf } from '../../../supervisor/sequence/outcome.js';
import { SharedSteps } from '../../../supervisor/sequence/shared-steps.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { planPhase, planWith } from '../../fixtures/plans.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { cause, outputOff, planOf, server } from './several.js';

const time = new FakeTime();
const deps = { clock: time, setTimer: time.setTimer };
const moment = { atMs: 2, unixSeconds: 2 };
const unreached: StepOutcome = { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true };

describe('a step that sequences share', () => {
  it('has the times of its first start and of its end for all of them; a step of one group has none', () => {
    const record = new SequenceRecord(new SimulatedJournals(() => 'kept'));
    const shared = new SharedSteps(record, deps);
    const nas = server('nas', 'office');
    const decisions = ['lab', 'office'].map((group) => ({
      kind: 'decided' as const,
      ...{ group, cause, plan: planOf(group, [nas], true), ...moment },
    }));
    record.decide(decisions, () => true);
    for (const group of ['lab', 'office']) {
      const begun = { ...moment, group, atMs: group === 'lab' ? 5 : 6 };
      record.write({ kind: 'stepBegan', step: nas.id, ...begun });
      record.write({ kind: 'stepBegan', step: 'local_poweroff/host', ...begun });
    }
    expect([shared.commandedSinceMs(nas), shared.endedMs(nas)]).to.deep.equal([5, undefined]);
    record.write({
      kind: 'stepEnded',
      ...moment,
      group: 'lab',
      step: nas.id,
      atMs: 9,
      outcome: { kind: 'done' },
    });
    expect(shared.endedMs(nas)).to.equal(9);
    const [host] = decisions[0]?.plan.phases.at(-1)?.steps ?? [];
    if (host === undefined) throw new Error('the plan has no power-off');
    expect([shared.commandedSinceMs(host), shared.endedMs(host)]).to.deep.equal([undefined, undefined]);
  });

  it('is not begun again by the next sequence when its command throws', async () => {
    const shared = new SharedSteps(new SequenceRecord(new SimulatedJournals(() => 'kept')), deps);
    let commands = 0;
    const once = () =>
      shared.once(server('nas', 'lab'), new AbortController().signal, () => {
        commands += 1;
        return Promise.reject(new Error('no frame fits'));
      });
    for (let caller = 0; caller < 2; caller += 1)
      expect(await once().catch((error: unknown) => String(error))).to.equal('Error: no frame fits');
    expect(commands).to.equal(1);
  });
});

describe('a step that takes power from another sequence', () => {
  it('waits for its servers, and no longer than its plan takes at most', async () => {
    const record = new SequenceRecord(new SimulatedJournals(() => 'kept'));
    const clock = new FakeTime();
    const shared = new SharedSteps(record, { clock, setTimer: clock.setTimer });
    const nas = server('nas', 'rack');
    const [rack, office] = [planOf('rack', [nas], false), planOf('office', [], true)];
    const [host] = office.phases[0]?.steps ?? [];
    if (host === undefined) throw new Error('the plan has no power-off');
    const decide = (group: string, plan: Plan) => {
      const begun = { atMs: clock.monotonicMs(), unixSeconds: 2 };
      record.decide([{ kind: 'decided', group, cause, plan, ...begun }], () => true);
    };
    const longestMs = rack.boundSeconds * 1000;
    // As a daemon that was killed, and is there again much later.
    decide('rack', rack);
    await clock.pass(10 * longestMs);
    let waits = true;
    void shared.gate('office', host)?.then(() => (waits = false));
    await clock.pass(29_000);
    expect(waits, 'it may be resumed still').to.equal(true);
    const resumed = { atMs: clock.monotonicMs(), unixSeconds: 2 };
    record.write({ kind: 'stepBegan', group: 'rack', step: nas.id, ...resumed });
    await clock.pass(longestMs - 1_000);
    expect(waits, 'it goes on').to.equal(true);
    await clock.pass(31_000);
    expect(waits).to.equal(false);
    expect(clock.pendingTimers).to.equal(0);
  });

  it('goes on once its servers have ended', async () => {
    const record = new SequenceRecord(new SimulatedJournals(() => 'kept'));
    const clock = new FakeTime();
    const shared = new SharedSteps(record, { clock, setTimer: clock.setTimer });
    const nas = server('nas', 'rack');
    const [host] = planOf('office', [], true).phases[0]?.steps ?? [];
    if (host === undefined) throw new Error('the plan has no power-off');
    const plan = planOf('rack', [nas], false);
    record.decide([{ kind: 'decided', group: 'rack', cause, plan, ...moment }], () => true);
    const gate = shared.gate('office', host);
    const step = { group: 'rack', step: nas.id, ...moment };
    record.write({ kind: 'stepBegan', ...step });
    record.write({ kind: 'stepEnded', ...step, outcome: { kind: 'done' } });
    await gate;
    expect(shared.gate('office', host)).to.equal(null);
    expect(clock.pendingTimers).to.equal(0);
  });
});

describe('an output that is requested again after it was not cut', () => {
  it('is not requested beside that by a sequence that is decided meanwhile', async () => {
    const record = new SequenceRecord(new SimulatedJournals(() => 'kept'));
    const shared = new SharedSteps(record, deps);
    const output = outputOff('rack');
    const decide = (group: string) => {
      const plan = planWith([planPhase('ups_output_off', [output])], group);
      record.decide([{ kind: 'decided', group, cause, plan, ...moment }], () => false);
      shared.decided();
    };
    const requests: ((outcome: StepOutcome) => void)[] = [];
    const cut = (group: string) => {
      record.write({ kind: 'stepBegan', group, step: output.id, ...moment });
      void shared.once(output, new AbortController().signal, () => new Promise((end) => requests.push(end)));
    };
    const outcome = failureOf('busy');
    for (const group of ['lab', 'office']) decide(group);
    for (const group of ['lab', 'office']) cut(group);
    requests[0]?.(outcome);
    record.write({ kind: 'stepEnded', group: 'lab', step: output.id, outcome, ...moment });
    record.write({ kind: 'over', group: 'lab', cancelled: null, ...moment });
    await settled();
    expect(requests, 'the second sequence tries').to.have.length(2);
    decide('lab');
    cut('lab');
    await settled();
    expect(requests, 'waits').to.have.length(2);
    requests[1]?.(outcome);
    await settled();
    expect(requests, 'tries when that has failed too').to.have.length(3);
  });
});

describe('an output that was not cut', () => {
  it('is not requested by a sequence whose own time is over', async () => {
    const shared = new SharedSteps(new SequenceRecord(new SimulatedJournals(() => 'kept')), deps);
    const late = new AbortController();
    let end: (outcome: StepOutcome) => void = () => undefined;
    const request = new Promise<StepOutcome>((resolve) => (end = resolve));
    void shared.once(outputOff('rack'), new AbortController().signal, () => request);
    const outcome = shared.once(outputOff('rack'), late.signal, () => Promise.resolve({ kind: 'done' }));
    late.abort();
    end(failureOf('busy'));
    expect(await outcome).to.deep.equal(failureOf('busy'));
  });
});

describe('the outcome of a server that another try has reached', () => {
  it('replaces the one in the record, until a shutdown in which it has none', async () => {
    const record = new SequenceRecord(new SimulatedJournals(() => 'kept'));
    const shared = new SharedSteps(record, deps);
    const decide = (group: string, ...servers: readonly string[]) => {
      const plan = planOf(
        group,
        servers.map((name) => server(name, group)),
        false,
      );
      record.decide([{ kind: 'decided', group, cause, plan, ...moment }], () => true);
      shared.decided();
    };
    const step = { group: 'lab', step: 'remote_servers/nas', ...moment };
    decide('lab', 'nas');
    record.write({ kind: 'stepBegan', ...step });
    record.write({ kind: 'stepEnded', ...step, outcome: unreached });
    const again = () =>
      shared.once(server('nas', 'office'), new AbortController().signal, () =>
        Promise.reject(new Error('twice')),
      );
    expect([shared.outcomeOf('nas'), await again()]).to.deep.equal([unreached, unreached]);
    decide('rack', 'nas');
    shared.commanded('nas', { kind: 'done' }, { atMs: 7, unixSeconds: 7 });
    // Its own step has not begun.
    expect(record.of('rack')?.steps.size).to.equal(0);
    decide('office', 'db');
    expect([shared.outcomeOf('nas'), await again()]).to.deep.equal([{ kind: 'done' }, { kind: 'done' }]);
    // A restarted daemon knows it too, and does not command the server again.
    expect(record.of('lab')?.steps.get('remote_servers/nas')?.ended).to.deep.equal({
      outcome: { kind: 'done' },
      ...{ atMs: 7, unixSeconds: 7 },
    });
    for (const group of ['lab', 'office', 'rack'])
      record.write({ kind: 'over', group, cancelled: null, ...moment });
    decide('lab', 'nas');
    expect(shared.outcomeOf('nas')).to.equal(undefined);
    // The end of a try of the outage before.
    shared.commanded('nas', { kind: 'done' }, moment);
    expect(record.of('lab')?.steps.size).to.equal(0);
    expect(await again().catch((error: unknown) => String(error))).to.equal('Error: twice');
  });
});
