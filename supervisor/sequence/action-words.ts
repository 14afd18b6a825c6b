// Describes a step in words, for the log of a dry run and for `plan`.
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import type { RemoteWork } from '../../shared/domain/actions/remote-work.js';
import { unreachable } from '../../shared/domain/base/unreachable.js';
import { withSudo } from '../../shared/domain/commands/with-sudo.js';

/** Begins with a verb: `power off this host with: shutdown -h now`. */
export function describeAction({ action, target }: PlanStep): string {
  switch (action.kind) {
    case 'wall':
      return `tell ${target}: ${action.message}`;
    case 'stopVirtualMachines':
      return `stop ${target}: ask all, destroy what still runs after ${seconds(action.maxWaitSeconds)}`;
    case 'stopCompose':
      return `stop the compose project ${action.path} within ${seconds(action.stopTimeoutSeconds)}`;
    case 'stopContainers':
      return `stop ${target} within ${seconds(action.stopTimeoutSeconds)}`;
    case 'sync':
      return 'write all file systems out to their disks';
    case 'unmount':
      return `unmount ${action.path}${action.options === '' ? '' : ` (${action.options})`}`;
    case 'remote':
    case 'poweroffDelegate':
      return `log in to ${loginOf(action.work)} and run: ${remoteCommands(action.work).join('; ')}`;
    case 'awaitOff':
      return `wait until ${action.server} is off, for ${seconds(action.timeoutSeconds)} at most`;
    case 'commandAgain':
      return `try the final command again on servers that never got it, of: ${action.works.map(({ server }) => server).join(', ')}`;
    case 'forceShutdown':
      return `set FSD at the NUT server of ${target}, and wait until the other hosts have logged out, for ${seconds(action.hostsyncSeconds)} at most`;
    case 'powerdownFlag':
      return `write ${action.path}, by which NUT cuts the power of the UPS when this host is down`;
    case 'upsOutputOff':
      return `tell the UPS ${action.ups} to cut its output in ${seconds(action.offDelaySeconds)} (${action.command})`;
    case 'poweroff':
      return `power off ${target} with: ${action.command.join(' ')}`;
    default:
      return unreachable(action);
  }
}

/** The commands of the server, in order: predefined actions by name, commands as they are run, the final command last. */
export function remoteCommands({ actions, final, useSudo }: RemoteWork): readonly string[] {
  const before = actions.map(({ action, command, projects, mounts, runtime, uri }) => {
    if (command !== null) return withSudo(command, useSudo);
    const paths = [...projects, ...mounts].map(({ path }) => path);
    const about = [runtime === 'auto' ? null : runtime, uri, ...paths];
    return [action, ...about.filter((word) => word !== null)].join(' ');
  });
  return final === null ? before : [...before, withSudo(final, useSudo)];
}

function loginOf({ user, host, port }: RemoteWork): string {
  return `${user}@${host}${port === 22 ? '' : `:${String(port)}`}`;
}

const seconds = (count: number): string => `${String(count)} s`;
