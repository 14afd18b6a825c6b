import { expect } from 'chai';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { Tries } from '../../../supervisor/sequence/phases/tries.js';
import { settled } from '../../fixtures/fake-time.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';
import { noGuests } from '../../../supervisor/sequence/actuator.js';
import { offWait, planOf, rig as rigOf, server, success } from './several.js';

const unreached: StepOutcome = { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true };
const hung: StepOutcome = { kind: 'failed', how: 'timeout', reason: 'sudo hangs' };

function rig(outcomes: Readonly<Record<string, StepOutcome>>) {
  const known = new Map(Object.entries(outcomes));
  const commanded: string[] = [];
  const ends = new Map<string, (outcome: StepOutcome) => void>();
  const perform = new Tries().performer({
    outcomeOf: (server) => known.get(server),
    commanded: (server, outcome) => known.set(server, outcome),
    remote: ({ work }) => {
      commanded.push(work.server);
      return new Promise((resolve) => ends.set(work.server, resolve));
    },
  });
  const action = { kind: 'commandAgain', works: Object.keys(outcomes).map(remoteWork) } as const;
  const again = () =>
    perform(action, planStep('final_sync/again', { action }), new AbortController().signal, noGuests);
  return { again, commanded, end: (server: string, outcome: StepOutcome) => ends.get(server)?.(outcome) };
}

/** Of the server `nas`, as a step of a plan. */
const again = planStep('final_sync/again', {
  action: { kind: 'commandAgain', works: [remoteWork('nas')] },
  lane: 'again',
});

describe('another try', () => {
  it('is for the servers whose final command was never sent, and for no other', async () => {
    const { again, commanded, end } = rig({ db: unreached, nas: { kind: 'done' }, old: hung });
    const outcome = again();
    end('db', { kind: 'done' });
    expect(await outcome).to.deep.equal({ kind: 'done', detail: 'db got the command' });
    expect(commanded).to.deep.equal(['db']);
    expect(await again()).to.deep.equal({ kind: 'skipped', reason: 'every server got its command' });
  });

  it('that reaches no server is no failure', async () => {
    const { again, end } = rig({ db: unreached });
    const outcome = again();
    end('db', unreached);
    expect(await outcome).to.deep.equal({ kind: 'skipped', reason: 'not reached again: db' });
  });

  it('joins one that was abandoned and still runs: no server is commanded twice side by side', async () => {
    const { again, commanded, end } = rig({ db: unreached });
    void again();
    const second = again();
    await settled();
    expect(commanded).to.deep.equal(['db']);
    end('db', { kind: 'done' });
    expect(await second).to.deep.include({ kind: 'done' });
  });

  it('that throws is over: the next one tries again', async () => {
    let calls = 0;
    const perform = new Tries().performer({
      outcomeOf: () => unreached,
      commanded: () => undefined,
      remote: () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('a bug')) : Promise.resolve({ kind: 'done' });
      },
    });
    const action = { kind: 'commandAgain', works: [remoteWork('db')] } as const;
    const again = () =>
      perform(action, planStep('x/again', { action }), new AbortController().signal, noGuests);
    expect(await again().catch((error: unknown) => String(error))).to.equal('Error: a bug');
    expect(await again()).to.include({ kind: 'done' });
  });

  it('of one sequence makes the wait of another wait for the server that it has reached', async () => {
    const office = planWith([
      planPhase('remote_servers', [server('nas', 'lab')]),
      planPhase('final_sync', [server('db', 'x'), again]),
    ]);
    const servers = [
      server('nas', 'lab'),
      server('slow', 'lab'),
      offWait('nas', 'lab'),
      server('web', 'lab', 3),
    ];
    const { start, end, ran } = rigOf([office, planOf('lab', servers, false)], success);
    start('office', 'lab');
    await end('nas', unreached);
    await end('nas');
    await end('slow');
    expect(ran).to.deep.equal(['nas', 'slow', 'db', 'nas']);
    await end('nas off');
    expect(ran.at(-1)).to.equal('web');
  });

  it('is also for a server whose worker did not answer within the budget of its step', async () => {
    const plan = planWith([
      planPhase('remote_servers', [server('nas', 'lab')]),
      planPhase('final_sync', [again]),
    ]);
    const { start, time, ran, journal } = rigOf([plan], success);
    start('office');
    await time.pass(100_000);
    expect(journal.of('office')?.steps.get('remote_servers/nas')?.ended?.outcome).to.include({
      how: 'timeout',
      neverSent: true,
      maybeSent: true,
    });
    expect(ran).to.deep.equal(['nas', 'nas']);
  });
});
