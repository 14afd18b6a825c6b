import { expect } from 'chai';
import fc from 'fast-check';
import type { PlanStep } from '../../../../shared/domain/outage/plan.js';
import { planOf } from '../../../../supervisor/policy/plan/plan.js';
import type { PlanSettings, ServerSettings } from '../../../../supervisor/policy/plan/settings.js';
import { withoutWaits } from '../../../../supervisor/policy/plan/waits.js';
import { remoteWork } from '../../../fixtures/plans.js';

const server = (name: string, order: number, haltTimeoutSeconds: number | null = 120): ServerSettings => ({
  work: remoteWork(name),
  order,
  when: 'after_local',
  marginSeconds: 60,
  haltTimeoutSeconds,
});

const settings = (servers: readonly ServerSettings[], other: Partial<PlanSettings> = {}): PlanSettings => ({
  group: 'office',
  label: 'Office',
  fedBy: ['office'],
  local: null,
  servers: [{ group: 'office', servers }],
  waitsForTargets: false,
  upsOutputs: [],
  primaries: [],
  hostsyncSeconds: 15,
  powerdownFlag: null,
  keepsRecord: false,
  powersOffHost: true,
  poweroff: { command: ['poweroff'], message: '', fallback: null, wall: false },
  delegate: null,
  dryRun: false,
  ...other,
});

const stepsOf = (given: PlanSettings): readonly PlanStep[] =>
  planOf(given).phases.flatMap(({ steps }) => steps);
const waitsOf = (given: PlanSettings): readonly string[] =>
  stepsOf(given).flatMap(({ action }) => (action.kind === 'awaitOff' ? [action.server] : []));

describe('the waits of a plan', () => {
  it('are none with a single order, and the plan takes as long as before', () => {
    const given = settings([server('nas', 1), server('db', 1)]);
    expect(waitsOf(given)).to.deep.equal([]);
    // connect 10 s, command 30 s, margin 60 s; the power-off 30 s.
    expect(planOf(given).boundSeconds).to.equal(130);
  });

  it('stand between the orders, and each knows the bound of what follows without waits', () => {
    const plan = planOf(settings([server('db', 1), server('nas', 2), server('san', 3)]));
    const waits = plan.phases.flatMap(({ steps }) =>
      steps.flatMap(({ action }) => (action.kind === 'awaitOff' ? [action] : [])),
    );
    expect(waits.map(({ server: name, followsSeconds }) => [name, followsSeconds])).to.deep.equal([
      ['db', 230],
      ['nas', 130],
    ]);
    expect([plan.boundSeconds, withoutWaits(plan).boundSeconds]).to.deep.equal([570, 330]);
  });

  it('are left out for servers for which only the command counts', () => {
    expect(waitsOf(settings([server('db', 1, null), server('nas', 2)]))).to.deep.equal([]);
  });

  it('follow the last order too where the host or an output waits for it', () => {
    expect(waitsOf(settings([server('nas', 1)], { waitsForTargets: true }))).to.deep.equal(['nas']);
  });

  it('stand in each lane of a drain', () => {
    const drained = settings([], {
      servers: [
        { group: 'office', servers: [server('db', 1), server('nas', 2)] },
        { group: 'lab', servers: [server('probe', 1), server('lab-nas', 2)] },
      ],
    });
    expect(waitsOf(drained)).to.deep.equal(['db', 'probe']);
  });

  it('stand between servers that begin with the sequence and those after the local phases', () => {
    const local = {
      virtualMachines: null,
      containers: null,
      sync: true,
      unmount: { mounts: [], timeoutSeconds: 15 },
    };
    const early: ServerSettings = { ...server('db', 1), when: 'with_local' };
    const late: ServerSettings = { ...server('san', 3), when: 'with_local' };
    const plan = planOf(settings([early, server('nas', 2), late], { local }));
    expect(waitsOf(settings([early, server('nas', 2), late], { local }))).to.deep.equal(['db', 'nas']);
    // db is off after 220 s, nas after 440 s; then san 100 s, the second sync 30 s.
    expect(plan.phases.map(({ name, beginsAfterSeconds }) => [name, beginsAfterSeconds])).to.deep.equal([
      ['filesystem_sync', 0],
      ['remote_servers', 30],
      ['final_sync', 540],
      ['local_poweroff', 570],
    ]);
    const waits = plan.phases.flatMap(({ steps }) => steps.map(({ action }) => action));
    expect(
      waits.flatMap((one) => (one.kind === 'awaitOff' ? [[one.server, one.followsSeconds]] : [])),
    ).to.deep.equal([
      ['db', 260],
      ['nas', 160],
    ]);
  });

  it('count what follows from the beginning of their phase, and leave nothing behind', () => {
    const local = {
      virtualMachines: null,
      containers: null,
      sync: true,
      unmount: { mounts: [], timeoutSeconds: 15 },
    };
    const steps = stepsOf(settings([server('db', 1), server('nas', 2)], { local }));
    const wait = steps.find(({ action }) => action.kind === 'awaitOff');
    // nas 100 s, the second sync and the power-off 30 s each.
    expect(wait?.action).to.include({ followsSeconds: 160 });
    expect(wait?.destructive).to.equal(false);
  });

  it('separate every two orders of a group, in any plan', () => {
    const anyServer = fc.record({ order: fc.integer({ min: 1, max: 5 }), early: fc.boolean() });
    fc.assert(
      fc.property(fc.array(anyServer, { maxLength: 12 }), (drawn) => {
        const servers = drawn.map(({ order, early }, index): ServerSettings => ({
          ...server(`s${String(index)}`, order),
          when: early ? 'with_local' : 'after_local',
        }));
        const steps = stepsOf(settings(servers)).filter(({ phase }) => phase === 'remote_servers');
        const commands = steps.filter(({ action }) => action.kind === 'remote');
        for (const later of commands)
          for (const earlier of commands) {
            expect(earlier.lane).to.equal(later.lane);
            if (earlier.rank >= later.rank) continue;
            const wait = steps.find(
              ({ action }) => action.kind === 'awaitOff' && action.commandedBy === earlier.id,
            );
            expect(wait?.lane).to.equal(later.lane);
            expect(wait?.rank).to.be.greaterThan(earlier.rank).and.lessThan(later.rank);
          }
      }),
      { numRuns: 200 },
    );
  });
});

describe('the tries of a plan', () => {
  it('are one in every later phase, which extends none', () => {
    const given = settings([server('nas', 1)]);
    const again = stepsOf(given).filter(({ action }) => action.kind === 'commandAgain');
    expect(again.map(({ id }) => id)).to.deep.equal(['local_poweroff/servers/again']);
    const [{ action } = {}] = again;
    expect(action).to.deep.include({ works: [{ ...remoteWork('nas'), actions: [] }] });
    expect(stepsOf(settings([])).map(({ id }) => id)).to.deep.equal(['local_poweroff/host']);
  });

  it('have each server with a final command once, and no wait', () => {
    const scripted = { ...server('hook', 1), work: { ...remoteWork('hook'), final: null } };
    const steps = stepsOf(settings([server('db', 1), scripted, server('nas', 2)]));
    const works = steps.flatMap(({ action }) => (action.kind === 'commandAgain' ? action.works : []));
    expect(works.map((work) => work.server)).to.deep.equal(['db', 'nas']);
  });

  it('last as long as the other steps of their phase, also where those begin with the sequence', () => {
    const given = settings([server('nas', 1)], { primaries: [{ ups: 'office', label: 'Office' }] });
    const plan = planOf(given);
    const again = plan.phases.flatMap(({ steps }) =>
      steps.filter(({ action }) => action.kind === 'commandAgain').map(({ budgetSeconds }) => budgetSeconds),
    );
    // 5 s and hostsync, although the bound has them in the time of the servers; the power-off 30 s.
    expect(again).to.deep.equal([20, 30]);
    expect(plan.boundSeconds).to.equal(130);
  });
});
