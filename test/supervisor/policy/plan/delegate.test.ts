// What is done on the host of a container, to the second.
import { expect } from 'chai';
import type { PlanStep } from '../../../../shared/domain/plan.js';
import { plansOf } from '../../../../supervisor/plans.js';
import { actionInWords } from '../../../../supervisor/sequence/action-words.js';
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

function stepsOf(sections: string): readonly PlanStep[] {
  const configuration = configurationFrom(`${office}is_local = true\n${sections}${delegate}`);
  const [plan] = plansOf({ ...configuration, inContainer: true });
  return plan?.phases.flatMap(({ steps }) => steps) ?? [];
}

/** `phase budget: action timeout, ...`, with what is sent last. */
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
  it('gives every phase what its actions need and a login each, and keeps the margin for the last', () => {
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
      'containers 217: stop_compose 40, stop_compose 90, stop_containers 40, stop_containers_rootless 40',
      'filesystem_sync 37 harmless: sync 30',
      'filesystem_unmount 37: unmount_filesystems 30',
      'final_sync 37 harmless: sync 30',
      "local_poweroff 77: shutdown -h now 'UPS battery critical, shutting down'",
    ]);
  });

  it('turns to the engine and the libvirt that are configured', () => {
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
    expect(steps.slice(0, 2).map(actionInWords)).to.deep.equal([
      'log in to root@host.test and run: stop_vms qemu:///session',
      'log in to root@host.test and run: stop_compose podman /srv/a.yml; stop_containers podman; stop_containers_rootless',
    ]);
  });

  it('leaves out what is not asked for', () => {
    const containers = '[ups.containers]\nenabled = true\nshutdown_all_remaining_containers = false\n';
    const sections = `${containers}include_user_containers = true\ncompose_files = ["/srv/a.yml"]\n`;
    expect(shown(stepsOf(`${sections}[ups.filesystems]\nsync_enabled = false\n`))).to.deep.equal([
      'containers 67: stop_compose 60',
      "local_poweroff 77: shutdown -h now 'UPS battery critical, shutting down'",
    ]);
  });
});
