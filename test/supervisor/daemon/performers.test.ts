// What the guards inside the performers keep: a collaborator that throws, once or always, does not end its step.
import { expect } from 'chai';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { performersOf } from '../../../supervisor/daemon/performers.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { idleLog, plainHost } from '../../fixtures/idle-parts.js';
import { noGuests } from '../../../supervisor/sequence/actuator.js';
import { planStep, remoteWork } from '../../fixtures/plans.js';

type Dependencies = Parameters<typeof performersOf>[0];

type Performers = ReturnType<typeof performersOf>;

/** What a step has come to after a second, with these dependencies; null: it goes on. */
async function performed(
  choose: (performers: Performers) => (step: PlanStep, signal: AbortSignal) => Promise<StepOutcome>,
  change: Partial<Dependencies>,
): Promise<StepOutcome | null> {
  const time = new FakeTime();
  const unused = (): never => {
    throw new Error('this step needs it not');
  };
  const perform = choose(
    performersOf({
      ...{ guard: new Guard(idleLog), clock: time, log: idleLog, setTimer: time.setTimer, host: plainHost },
      ...{ run: unused, cut: unused, shutDown: unused, awaitOff: unused, setFsd: unused, fsdNoted: unused },
      ...{ state: () => initialState, loads: () => [] },
      recordOnDisk: { update: unused, untilSynced: unused },
      ...change,
    }),
  );
  let outcome: StepOutcome | null = null;
  const store = (ended: StepOutcome) => (outcome = ended);
  perform(planStep('it'), new AbortController().signal).then(store, unused);
  await settled();
  await time.pass(1_000);
  return outcome;
}

/** Fails at its first call as `how` says, and then answers. */
function onceFailing<T>(
  how: 'throws' | 'rejects',
  answer: T,
): { readonly ask: () => Promise<T>; calls: number } {
  const asked = { calls: 0, ask };
  function ask(): Promise<T> {
    asked.calls += 1;
    if (asked.calls > 1) return Promise.resolve(answer);
    if (how === 'rejects') return Promise.reject(new Error('lost'));
    throw new Error('lost');
  }
  return asked;
}

type Choose = Parameters<typeof performed>[0];

const remote: Choose =
  ({ remote }) =>
  (step, signal) =>
    remote({ kind: 'remote', work: remoteWork('nas') }, step, signal, noGuests);
const wait: Choose =
  ({ awaitOff }) =>
  (step, signal) => {
    const about = { server: 'nas', commandedBy: 'remote_servers/nas', followsSeconds: 60 };
    return awaitOff({ kind: 'awaitOff', ...about, timeoutSeconds: 120 }, step, signal, noGuests);
  };
const fsd: Choose =
  ({ forceShutdown }) =>
  (step, signal) =>
    forceShutdown({ kind: 'forceShutdown', ups: 'office', hostsyncSeconds: 15 }, step, signal, noGuests);
const cut: Choose =
  ({ upsOutputOff }) =>
  (step, signal) => {
    const how = { command: 'shutdown.return', offDelaySeconds: 60 };
    return upsOutputOff({ kind: 'upsOutputOff', ups: 'office', ...how }, step, signal, noGuests);
  };
const broken = (): never => {
  throw new Error('no state');
};

describe('a performer whose collaborator throws', () => {
  for (const how of ['throws', 'rejects'] as const) {
    it(`asks the worker again for the final command when the first request ${how}`, async () => {
      const nothingLeft = { delivered: true, sent: true, maybeSent: false, unchecked: '', steps: [] };
      const worker = onceFailing(how, {
        ok: true,
        value: { result: 'ok', detail: '', ...nothingLeft },
      } as const);
      expect(await performed(remote, { shutDown: worker.ask })).to.deep.equal({ kind: 'done' });
      expect(worker.calls).to.equal(2);
    });

    it(`asks the worker again whether a server is off when the first request ${how}`, async () => {
      const value = { off: true, afterMs: 5_000, reason: '' };
      const worker = onceFailing(how, { ok: true, value } as const);
      expect(await performed(wait, { awaitOff: worker.ask })).to.deep.include({ kind: 'done' });
      expect(worker.calls).to.equal(2);
    });
  }

  it('cuts an output when the first request throws', async () => {
    const poller = onceFailing('throws', { ok: true, value: { warning: '' } } as const);
    expect(await performed(cut, { cut: poller.ask })).to.deep.equal({ kind: 'done' });
  });

  it('leaves an output on when it is not known what else it feeds', async () => {
    const poller = onceFailing('throws', { ok: true, value: { warning: '' } } as const);
    expect(await performed(cut, { cut: poller.ask, loads: broken })).to.deep.include({ kind: 'skipped' });
    expect(poller.calls).to.equal(0);
  });

  it('sets FSD when policy cannot say whether it is needed, nor note it', async () => {
    const setFsd: Dependencies['setFsd'] = () => Promise.resolve({ ok: true, value: { clients: [] } });
    const ended = await performed(fsd, { setFsd, state: broken, fsdNoted: broken });
    expect(ended).to.deep.equal({ kind: 'done', detail: 'FSD set; nobody else is logged in' });
  });
});
