import { expect } from 'chai';
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { settled } from '../../fixtures/fake-time.js';
import { rig } from './one-sequence.js';

const command = (name: string, rank: number): PlanStep =>
  planStep(`remote_servers/${name}`, {
    lane: 'office',
    rank,
    target: name,
    action: { kind: 'remote', work: remoteWork(name) },
    budgetSeconds: 100,
  });
const wait = (name: string, rank: number): PlanStep =>
  planStep(`remote_servers/${name}/off`, {
    lane: 'office',
    rank,
    destructive: false,
    action: {
      kind: 'awaitOff',
      server: name,
      commandedBy: `remote_servers/${name}`,
      timeoutSeconds: 120,
      followsSeconds: 60,
    },
    budgetSeconds: 120,
  });
const again = (): PlanStep =>
  planStep('final_sync/again', { action: { kind: 'commandAgain', works: [remoteWork('db')] } });
const db = 'remote_servers/db';
const twoOrders = planWith([
  planPhase('remote_servers', [command('db', 2), wait('db', 3), command('nas', 4)]),
]);
const unreached: StepOutcome = { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true };

describe('a wait of a sequence', () => {
  it('holds the next order until the server is off', async () => {
    const { sequence, steps, begun, end } = rig(twoOrders);
    sequence.start();
    await end(db);
    expect(begun()).to.deep.equal([db, `${db}/off`]);
    await end(`${db}/off`, { kind: 'done', detail: 'off after 41 s' });
    expect(begun().at(-1)).to.equal('remote_servers/nas');
    expect(steps()[1]).to.deep.include({ state: 'done', detail: 'off after 41 s' });
  });

  it('counts its time from the command of its server, and fails when the server is still on then', async () => {
    const { sequence, begun, calls, end, time, budgets } = rig(
      planWith([
        planPhase('remote_servers', [command('db', 2), command('hung', 2), wait('db', 3), command('nas', 4)]),
      ]),
    );
    sequence.start();
    await end(db);
    await time.pass(90_000);
    await end('remote_servers/hung');
    expect(budgets.get(`${db}/off`)).to.equal(30);
    await time.pass(30_000);
    expect(begun().at(-1)).to.equal('remote_servers/nas');
    expect(calls.some((line) => line.startsWith(`failed ${db}/off`))).to.equal(true);
  });

  it('is skipped for a server that never got its command', async () => {
    const { sequence, steps, begun, end } = rig(twoOrders);
    sequence.start();
    await end(db, unreached);
    expect(begun().at(-1)).to.equal('remote_servers/nas');
    expect(steps()[1]).to.deep.include({
      state: 'skipped',
      error: 'db did not get its command',
    });
  });

  it('waits for a server that a lost worker, or a lost supervisor, may have commanded', async () => {
    const lostWorker = rig(twoOrders);
    lostWorker.sequence.start();
    await lostWorker.end(db, { ...unreached, maybeSent: true });
    expect(lostWorker.begun().at(-1)).to.equal(`${db}/off`);
    const begun = { beganMs: 0, beganUnixSeconds: 0, ended: null };
    const resumed = rig(twoOrders, () => false, {
      startedUnixSeconds: 0,
      steps: new Map([[db, begun]]),
      phasesEnded: new Set(),
    });
    resumed.sequence.start();
    await resumed.end(db, unreached);
    expect(resumed.begun().at(-1)).to.equal(`${db}/off`);
  });

  it('ends at once when the battery leaves no time, and is no failure', async () => {
    let reason: string | null = null;
    const { sequence, begun, calls, end, time, aborted } = rig(
      twoOrders,
      () => false,
      undefined,
      () => null,
      {},
      () => reason,
    );
    sequence.start();
    await end(db);
    reason = 'Office: LB';
    await time.pass(250);
    expect(aborted).to.deep.equal([`${db}/off`]);
    expect(begun().at(-1)).to.equal('remote_servers/nas');
    expect(calls.some((line) => line.startsWith('failed'))).to.equal(false);
  });

  it('resumes within what is left of its time', async () => {
    const nowMs = rig(twoOrders).time.monotonicMs();
    const { sequence, budgets, begun } = rig(twoOrders, () => false, {
      startedUnixSeconds: 0,
      steps: new Map([
        [
          db,
          {
            beganMs: nowMs - 60_000,
            beganUnixSeconds: 0,
            ended: { outcome: { kind: 'done' }, atMs: nowMs - 50_000, unixSeconds: 0 },
          },
        ],
        [`${db}/off`, { beganMs: nowMs - 50_000, beganUnixSeconds: 0, ended: null }],
      ]),
      phasesEnded: new Set(),
    });
    sequence.start();
    await settled();
    expect(begun()).to.deep.equal([`${db}/off`]);
    expect(budgets.get(`${db}/off`)).to.equal(70);
  });
});

describe('a try of a sequence', () => {
  it('delays nothing: it is abandoned when the rest of its phase has ended', async () => {
    const { sequence, begun, aborted, end, calls } = rig(
      planWith([
        planPhase('final_sync', [planStep('final_sync/sync', { destructive: false }), again()]),
        planPhase('local_poweroff', [planStep('local_poweroff/host')]),
      ]),
    );
    sequence.start();
    expect(begun()).to.have.members(['final_sync/sync', 'final_sync/again']);
    await end('final_sync/sync');
    expect(aborted).to.deep.equal(['final_sync/again']);
    expect(begun().at(-1)).to.equal('local_poweroff/host');
    expect(calls.some((line) => line.startsWith('failed'))).to.equal(false);
  });
});
