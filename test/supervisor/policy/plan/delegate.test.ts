// The phases on the host of a container, to the second.
import { expect } from 'chai';
import type { Plan, PlanStep } from '../../../../shared/domain/outage/plan.js';
import { describeAction } from '../../../../shared/domain/outage/plan.js';
import { plansOf } from '../../../../supervisor/config/derive/plans.js';
import { configurationFrom, office } from '../../config/loading.js';

const delegate = `[[ups.remote_servers]]
name = "host"
host = "host.test"
user = "root"
host_delegate = true
connect_timeout = 7
command_timeout = 20
shutdown_safety_margin = 50
`;

function planOf(sections: string): Plan | undefined {
  const configuration = configurationFrom(`${office}is_local = true\n${sections}${delegate}`);
  return plansOf({ ...configuration, inContainer: true })[0];
}

const stepsOf = (sections: string): readonly PlanStep[] =>
  planOf(sections)?.phases.flatMap(({ steps }) => steps) ?? [];

/** `phase budget: action timeout, ...`, with the last command. */
function shown(steps: readonly PlanStep[]): readonly string[] {
  return steps.map(({ phase, budgetSeconds, destructive, action }) => {
    if (!('work' in action)) return phase;
    const { actions, final } = action.work;
    const asked = actions.map((one) => `${one.action} ${String(one.timeoutSeconds)}`);
    const words = [...asked, ...(final === null ? [] : [final])].join(', ');
    return `${phase} ${String(budgetSeconds)}${destructive ? '' : ' harmless'}: ${words}`;
  });
}

describe('the plan on a host delegate', () => {
  it('gives every phase the time of its actions and of a login, and adds the safety margin only to the last', () => {
    const sections = `[ups.virtual_machines]
enabled = true
max_wait = 45
[ups.containers]
enabled = true
stop_timeout = 40
include_user_containers = true
compose_files = ["/srv/a.yml", { path = "/srv/b.yml", stop_timeout = 90 }]
[ups.filesystems]
unmount = { enabled = true, timeout = 15, mounts = ["/mnt/a", "/mnt/b"] }
`;
    expect(shown(stepsOf(sections))).to.deep.equal([
      'virtual_machines 62: stop_vms 55',
      'containers 97: stop_compose 90',
      'containers 47: stop_containers 40',
      'containers 47: stop_containers_rootless 40',
      'filesystem_sync 37 harmless: sync 30',
      'filesystem_unmount 37: unmount_filesystems 30',
      'final_sync 37 harmless: sync 30',
      "local_poweroff 77: shutdown -h now 'UPS battery critical, shutting down'",
    ]);
  });

  it('stops compose projects together first, then remaining and user containers together', () => {
    const sections = `[ups.containers]
enabled = true
stop_timeout = 40
include_user_containers = true
compose_files = ["/srv/a.yml", { path = "/srv/b.yml", stop_timeout = 90 }, { path = "/srv/c.yml", stop_timeout = 0 }, "/srv/a.yml"]
`;
    const phase = planOf(sections)?.phases.find(({ name }) => name === 'containers');
    expect(phase?.steps.map(({ id, target, lane, rank }) => [id, target, lane, rank])).to.deep.equal([
      ['containers/projects', 'compose projects on host', 'host', 0],
      ['containers/remaining', 'containers on host', 'host', 1],
      ['containers/users', 'containers of users on host', 'host', 1],
    ]);
    expect(phase?.budgetSeconds).to.equal(7 + 90 + 7 + 40);
    const [projects] = phase?.steps ?? [];
    const asked = projects !== undefined && 'work' in projects.action ? projects.action.work.actions : [];
    expect(asked.map((one) => one.projects)).to.deep.equal([
      [
        { path: '/srv/a.yml', timeoutSeconds: 40 },
        { path: '/srv/b.yml', timeoutSeconds: 90 },
        { path: '/srv/c.yml', timeoutSeconds: 5 },
      ],
    ]);
  });

  it('gives containers the time to be killed after a stop timeout of 0', () => {
    const steps = stepsOf('[ups.containers]\nenabled = true\nstop_timeout = 0\n');
    expect(shown(steps)[0]).to.equal('containers 12: stop_containers 5');
  });

  it('unmounts each mount once, and nested mounts first', () => {
    const mounts = '["/mnt/a", "/mnt/b/", { path = "/mnt/a/b/c", options = "-l" }, "/mnt/a/b", "/mnt/b"]';
    const steps = stepsOf(
      `[ups.filesystems]\nsync_enabled = false\nunmount = { enabled = true, timeout = 15, mounts = ${mounts} }\n`,
    );
    expect(shown(steps)[0]).to.equal('filesystem_unmount 67: unmount_filesystems 60');
    const [asked] = steps.flatMap(({ action }) => ('work' in action ? action.work.actions : []));
    expect(asked?.mounts).to.deep.equal([
      { path: '/mnt/b', options: '' },
      { path: '/mnt/a/b/c', options: '-l' },
      { path: '/mnt/a/b', options: '' },
      { path: '/mnt/a', options: '' },
    ]);
  });

  it('uses the configured container engine and libvirt connection', () => {
    const steps = stepsOf(`[ups.virtual_machines]
enabled = true
uri = "qemu:///session"
[ups.containers]
enabled = true
runtime = "podman"
include_user_containers = true
compose_files = ["/srv/a.yml"]
`);
    const asked = steps.flatMap(({ action }) => ('work' in action ? action.work.actions : []));
    expect(asked.map(({ action, runtime, uri }) => [action, runtime, uri])).to.deep.equal([
      ['stop_vms', null, 'qemu:///session'],
      ['stop_compose', 'podman', null],
      ['stop_containers', 'podman', null],
      ['stop_containers_rootless', null, null],
      ['sync', null, null],
    ]);
    expect(steps.slice(0, 3).map(describeAction)).to.deep.equal([
      'log in to root@host.test and run: stop_vms qemu:///session',
      'log in to root@host.test and run: stop_compose podman /srv/a.yml',
      'log in to root@host.test and run: stop_containers podman',
    ]);
  });

  it('notifies logged-in users on the delegate concurrently with the first phase', () => {
    const [wall, sync] = stepsOf('[local_shutdown]\nwall = true\nmessage = "It\'s $(date)"\n');
    expect(wall).to.deep.include({
      id: 'filesystem_sync/users/wall',
      target: 'logged-in users on host',
      lane: 'users/wall',
      begins: 'with_phase',
      budgetSeconds: 7 + 5,
      destructive: false,
    });
    expect(sync?.lane).to.equal('host');
    expect(wall === undefined ? '' : describeAction(wall)).to.equal(
      "log in to root@host.test and run: wall -- 'It'\\''s $(date)'",
    );
    const [silent] = stepsOf('[local_shutdown]\nwall = true\nmessage = ""\n');
    expect(silent === undefined ? '' : describeAction(silent)).to.contain(
      "wall -- 'This host is shutting down'",
    );
    expect(stepsOf('').map(({ id }) => id)).not.to.include('filesystem_sync/users/wall');
  });

  describe('powers the delegate off', () => {
    const powerOff = (more: string, user = 'ops') => {
      const text = `${office}is_local = true\n${delegate.replace('user = "root"', `user = "${user}"`)}${more}`;
      const [plan] = plansOf({ ...configurationFrom(text), inContainer: true });
      const action = plan?.phases.at(-1)?.steps[0]?.action;
      return action?.kind === 'poweroffDelegate' ? [action.work.final, action.fallback] : [];
    };
    const local = (keys: string) => `[local_shutdown]\n${keys}\n`;

    it('with local_shutdown.command, and with sudo when the login is not root', () => {
      const words = "shutdown -h now 'UPS battery critical, shutting down'";
      expect(powerOff('', 'root')).to.deep.equal([words, null]);
      expect(powerOff('')).to.deep.equal([`sudo -n ${words}`, null]);
      const own = local('command = "/opt/off now"\nfallback_command = "/sbin/poweroff"');
      expect(powerOff(own, 'root')).to.deep.equal(['/opt/off now', '/sbin/poweroff']);
      expect(powerOff(own)).to.deep.equal(['sudo -n /opt/off now', 'sudo -n /sbin/poweroff']);
    });

    for (const command of ['sudo -n poweroff', '/usr/bin/sudo -n poweroff', 'doas poweroff'])
      it(`with ${command} unchanged, because it becomes root itself`, () => {
        expect(powerOff(local(`command = "${command}"`))).to.deep.equal([command, null]);
        expect(powerOff(local(`command = "halt"\nfallback_command = "${command}"`))).to.deep.equal([
          'sudo -n halt',
          command,
        ]);
      });

    it('with its own shutdown_command unchanged when it has one', () => {
      const own = 'shutdown_command = "sudo -n /sbin/poweroff; echo $?"\n';
      expect(powerOff(own)).to.deep.equal(['sudo -n /sbin/poweroff; echo $?', null]);
      expect(powerOff(`${own}${local('fallback_command = ["halt", "-f"]')}`)).to.deep.equal([
        'sudo -n /sbin/poweroff; echo $?',
        'sudo -n halt -f',
      ]);
      const likeOthers = 'shutdown_command = "sudo -n shutdown -h now"\n';
      expect(powerOff(likeOthers)).to.deep.equal(['sudo -n shutdown -h now', null]);
      expect(powerOff('shutdown_command = "poweroff"\n')).to.deep.equal(['poweroff', null]);
    });

    it('with every word of local_shutdown quoted as one word', () => {
      const message = local(`message = "it's $(reboot); \`x\` *"`);
      expect(powerOff(message)[0]).to.equal("sudo -n shutdown -h now 'it'\\''s $(reboot); `x` *'");
    });
  });

  it('contains only the configured steps', () => {
    const containers = '[ups.containers]\nenabled = true\nshutdown_all_remaining_containers = false\n';
    const sections = `${containers}include_user_containers = true\ncompose_files = ["/srv/a.yml"]\n`;
    expect(shown(stepsOf(`${sections}[ups.filesystems]\nsync_enabled = false\n`))).to.deep.equal([
      'containers 67: stop_compose 60',
      "local_poweroff 77: shutdown -h now 'UPS battery critical, shutting down'",
    ]);
  });
});
