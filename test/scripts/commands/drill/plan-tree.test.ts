import { expect } from 'chai';
import { planTree } from '../../../../scripts/commands/drill/plan-tree.js';
import type { Plan, PlanStep } from '../../../../shared/domain/outage/plan.js';
import type { RemoteWork } from '../../../../shared/domain/actions/remote-work.js';
import { timed } from '../../../../supervisor/policy/plan/timing.js';
import { planStep, preShutdown } from '../../../fixtures/plans.js';

const work: RemoteWork = {
  server: 'hypervisor',
  host: '192.0.2.20',
  port: 22,
  user: 'root',
  useSudo: false,
  connectTimeoutSeconds: 10,
  actions: [preShutdown('stop_vms', { timeoutSeconds: 50 })],
  final: 'shutdown -h now',
  commandTimeoutSeconds: 30,
};

const server = (name: string, change: Partial<PlanStep>): PlanStep =>
  planStep(`remote_servers/${name}`, {
    phase: 'remote_servers',
    target: name,
    action: { kind: 'remote', work: { ...work, server: name } },
    budgetSeconds: 60,
    estimateSeconds: 20,
    ...change,
  });

const host = planStep('local_poweroff/host', {
  target: 'this host',
  action: { kind: 'poweroff', command: ['shutdown', '-h', 'now'], fallback: ['poweroff'] },
  budgetSeconds: 30,
  estimateSeconds: 1,
});

const feeds = {
  runsWhen: 'Office fails',
  targets: [{ name: 'nas', goesDownWhen: ['Office fails', 'a and b fail'] }],
  took: new Map([['nas', ['off 41 s (95 %: 60 s), of 2 shutdowns']]]),
};

function planOf(steps: readonly PlanStep[]): Plan {
  return timed({ group: 'office', label: 'Office', fedBy: [], dryRun: false }, steps);
}

/** The columns of a target's bar: its start, its end when nothing hangs, and its limit. */
function barOf(tree: string, target: string): readonly [number, number, number] {
  const line = tree.split('\n').find((text) => text.startsWith(`  ${target} `)) ?? '';
  return [line.indexOf('█'), line.lastIndexOf('█') + 1, line.length];
}

describe('the plan as a tree', () => {
  it('shows commands as they run, with the sudo of use_sudo', () => {
    const commands = ['/opt/flush', 'sudo /opt/stop'].map(
      (command) => ({ ...work.actions[0], action: 'command', command }) as RemoteWork['actions'][number],
    );
    const tree = planTree(
      planOf([
        server('nas', {
          action: {
            kind: 'remote',
            work: { ...work, useSudo: true, actions: [...work.actions, ...commands] },
          },
        }),
      ]),
      600,
      feeds,
      100,
    );
    expect(tree.split('\n').map((line) => line.trim())).to.include.members([
      'stop_vms',
      'sudo -n /opt/flush',
      'sudo /opt/stop',
      'sudo -n shutdown -h now',
    ]);
  });

  it('shows each phase with its targets and their commands', () => {
    const tree = planTree(planOf([server('nas', { lane: 'own' }), host]), 600, feeds, 100);
    expect(tree.split('\n').map((line) => line.replace(/ *[█░]+.*$/, ''))).to.deep.equal([
      'Office (office): at most 90 s, about 21 s when nothing hangs',
      'runs when Office fails',
      `${' '.repeat(45)}0               30 s           60 s            90 s`,
      'remote_servers',
      '  nas',
      '      root@192.0.2.20, limit 60 s',
      '      stop_vms',
      '      shutdown -h now',
      '      took: off 41 s (95 %: 60 s), of 2 shutdowns',
      '      also goes down when a and b fail',
      'local_poweroff',
      '  this host',
      '      shutdown -h now (limit 30 s for each attempt)',
      '      after three failures: poweroff',
      '',
      'critical_runtime_threshold leaves 10 min: in the worst case 8 min 30 s are left.',
    ]);
  });

  it('shows the wait before a restart in place of the power-off', () => {
    const restarts = { ...host, action: { ...host.action, restart: ['shutdown', '-r', 'now'] } };
    const tree = planTree(planOf([restarts as PlanStep]), 600, feeds, 100);
    expect(tree).to.contain(
      '      if power is back: wait until the count of restarts is on the disk, at most 2 s, then restart instead: shutdown -r now\n',
    );
  });

  it('draws ranks one after another, and equal ranks in parallel', () => {
    const own = { lane: 'own' } as const;
    const tree = planTree(
      planOf([server('a', own), server('b', own), server('c', { ...own, rank: 2 }), host]),
      null,
      feeds,
      100,
    );
    expect(barOf(tree, 'a')).to.deep.equal(barOf(tree, 'b'));
    const [, aEnds, aLatest] = barOf(tree, 'a');
    const [cBegins, , cLatest] = barOf(tree, 'c');
    expect(cBegins).to.equal(aEnds);
    expect(cLatest).to.be.greaterThan(aLatest);
    expect(barOf(tree, 'this host')[0]).to.equal(barOf(tree, 'c')[1]);
  });

  it('draws steps that start with the sequence at its start', () => {
    const sync = planStep('filesystem_sync/disks', {
      phase: 'filesystem_sync',
      target: 'disks',
      budgetSeconds: 30,
      estimateSeconds: 10,
    });
    const tree = planTree(
      planOf([
        sync,
        server('early', { lane: 'own', begins: 'with_sequence' }),
        server('later', { lane: 'own', rank: 2, begins: 'with_sequence' }),
        host,
      ]),
      null,
      feeds,
      100,
    );
    expect(barOf(tree, 'early')[0]).to.equal(barOf(tree, 'disks')[0]);
    expect(tree.match(/root@192\.0\.2\.20, limit 60 s.*/g)).to.deep.equal([
      'root@192.0.2.20, limit 60 s, begins with the sequence',
      'root@192.0.2.20, limit 60 s',
    ]);
  });

  it('states when the battery may not last', () => {
    const tree = planTree(planOf([server('nas', {}), host]), 60, feeds, 100);
    expect(tree).to.contain(
      'critical_runtime_threshold leaves 60 s: in the worst case 30 s are missing. Raise',
    );
  });

  it('states that there is nothing to shut down', () => {
    expect(planTree(planOf([]), 600, feeds, 100)).to.equal('Office (office): the plan has no steps.');
  });

  it('truncates a long name so that the bars stay aligned', () => {
    const long = 'n'.repeat(300);
    const tree = planTree(planOf([server(long, { target: long }), host]), null, feeds, 80);
    for (const line of tree.split('\n')) expect(line.length).to.be.at.most(110);
    expect(tree).to.contain('n…');
  });
});
