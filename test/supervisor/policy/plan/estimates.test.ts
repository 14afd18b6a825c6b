// The estimates of a plan: duration of each step when nothing hangs, its name, its commands.
import { expect } from 'chai';
import type { Plan, PlanStep } from '../../../../shared/domain/outage/plan.js';
import { plansOf } from '../../../../supervisor/config/derive/plans.js';
import { configurationFrom, office } from '../../config/loading.js';

function planOf(sections: string): Plan {
  const configuration = configurationFrom(`${office}is_local = true\n${sections}`);
  const [plan] = plansOf({ ...configuration, inContainer: false });
  if (plan === undefined) throw new Error('no plan');
  return plan;
}

const stepsOf = (plan: Plan): readonly PlanStep[] => plan.phases.flatMap(({ steps }) => steps);

describe('the steps of a plan', () => {
  const plan = planOf(`[ups.virtual_machines]
enabled = true
max_wait = 45
[ups.containers]
enabled = true
stop_timeout = 1
compose_files = [{ path = "/srv/a.yml", stop_timeout = 90 }]
[ups.filesystems]
unmount = { enabled = true, timeout = 15, mounts = ["/mnt/a", "/mnt", "/mnt/a/b"] }
[ups.ups_output]
off_after_shutdown = true
[ups.nut_control]
password = "a secret"
[[ups.remote_servers]]
name = "nas"
host = "nas.test"
user = "root"
pre_shutdown_commands = [{ action = "stop_vms", timeout = 60 }, { command = "true", timeout = 9 }]
[local_shutdown]
wall = true
message = "Going down"
`);

  it('have an estimate of a third of their budget, or of their usual duration', () => {
    expect(stepsOf(plan).map(({ id, estimateSeconds }) => [id, estimateSeconds])).to.deep.equal([
      ['virtual_machines/users/wall', 1],
      ['virtual_machines/guests', 15],
      ['containers//srv/a.yml', 30],
      ['containers/remaining', 1],
      ['filesystem_sync/sync', 5],
      ['filesystem_unmount//mnt/a', 5],
      ['filesystem_unmount//mnt', 5],
      ['filesystem_unmount//mnt/a/b', 5],
      ['remote_servers/nas', 25],
      ['remote_servers/nas/off', 40],
      ['final_sync/sync', 5],
      ['final_sync/servers/again', 0],
      ['ups_output_off/office-127.0.0.1-3493', 1],
      ['ups_output_off/servers/again', 0],
      ['local_poweroff/host', 1],
      ['local_poweroff/servers/again', 0],
    ]);
  });

  it('have none where they run beside others: the record of who was up', () => {
    const record = stepsOf(planOf('[recovery]\nenabled = true\n')).find(
      ({ id }) => id === 'final_sync/record',
    );
    expect(record).to.deep.include({ estimateSeconds: 0, lane: 'record', action: { kind: 'keepRecord' } });
  });

  it('have estimates that add up when they run one after another', () => {
    expect(plan.phases.map(({ name, estimateSeconds }) => [name, estimateSeconds])).to.deep.equal([
      ['virtual_machines', 15],
      ['containers', 31],
      ['filesystem_sync', 5],
      ['filesystem_unmount', 15],
      ['remote_servers', 65],
      ['final_sync', 5],
      ['ups_output_off', 1],
      ['local_poweroff', 1],
    ]);
    expect(plan.estimateSeconds).to.equal(138);
  });

  it('have a budget long enough to kill containers that do not stop', () => {
    expect(stepsOf(plan).find(({ id }) => id === 'containers/remaining')).to.include({
      budgetSeconds: 5,
      target: 'remaining containers',
    });
  });

  it('unmount nested mounts first, in the lane of the outermost mount', () => {
    const unmounts = stepsOf(plan).filter(({ phase }) => phase === 'filesystem_unmount');
    expect(unmounts.map(({ target, lane, rank }) => [target, lane, rank])).to.deep.equal([
      ['/mnt/a', '/mnt', 1],
      ['/mnt', '/mnt', 2],
      ['/mnt/a/b', '/mnt', 0],
    ]);
  });

  it('contain the message to users and the fallback command of the power-off', () => {
    const actions = stepsOf(
      planOf('[local_shutdown]\nwall = true\nmessage = "Going down"\nfallback_command = "poweroff"\n'),
    );
    expect(actions[0]?.action).to.deep.equal({ kind: 'wall', message: 'Going down' });
    expect(actions.at(-1)?.action).to.deep.equal({
      kind: 'poweroff',
      command: ['shutdown', '-h', 'now', 'Going down'],
      fallback: ['poweroff'],
    });
  });

  it('give shutdown a time before the message', () => {
    const last = stepsOf(
      planOf(
        '[local_shutdown]\ncommand = "/sbin/shutdown -h"\nfallback_command = "sudo -n shutdown"\nmessage = "Going down"\n',
      ),
    ).at(-1);
    expect(last?.action).to.deep.equal({
      kind: 'poweroff',
      command: ['/sbin/shutdown', '-h', 'now', 'Going down'],
      fallback: ['sudo', '-n', 'shutdown', 'now'],
    });
  });
});
