// How upsmon on this machine and this daemon divide the work: who powers the machine off, and when. Pure.
import { formatPlanTime, formatSetting } from '../../../shared/domain/base/duration.js';
import { joinNames } from '../../../shared/domain/outage/feed.js';
import { parseUpsName } from '../../../shared/domain/ups/ups-name.js';
import type { Configuration, UpsConfiguration } from '../configuration/configuration.js';
import type { Monitor, Upsmon, UpsmonArrangement, UpsmonFile } from '../configuration/upsmon.js';
import { hostGroupOf } from './host-feed.js';
import { plansOf } from './plans.js';

/** Null where upsmon has nothing to do with the UPSes of this daemon. */
export function upsmonArrangement(configuration: Configuration, upsmon: Upsmon): UpsmonArrangement | null {
  if (upsmon.kind === 'none') return null;
  const state = upsmon.isRunning ? 'it runs' : 'it does not run now';
  if (upsmon.kind === 'unreadable')
    return {
      kind: 'unknown',
      text: `upsmon (${state}): ${upsmon.path} ${upsmon.fault}, so whether it powers this machine off is not known; run this as root`,
    };
  const { file } = upsmon;
  const shared = file.monitors.flatMap((monitor) => {
    const ups = configuration.ups.find(({ address }) => isSame(monitor, address));
    return ups === undefined ? [] : [{ monitor, ups }];
  });
  if (shared.length === 0) return null;
  const feeding = shared.filter(({ monitor }) => monitor.powerValue > 0);
  const name = `upsmon (${file.path}, ${state})`;
  if (feeding.length === 0 || !isReal(file.shutdownCommand)) {
    const why =
      feeding.length === 0 ? 'the power value of its MONITOR lines is 0' : 'its SHUTDOWNCMD does nothing';
    return { kind: 'watches', text: `${name} only watches, since ${why}: Ridethrough decides` };
  }
  const conflict = conflictOf(configuration, file, feeding);
  if (conflict !== null) return { kind: 'conflict', text: `${name}: ${conflict}` };
  const upses = joinNames(
    feeding.map(({ ups }) => ups.policy.label),
    'or',
  );
  if (feeding.every(({ ups }) => ups.role === 'primary'))
    return {
      kind: 'follows',
      text: `${name} follows Ridethrough, which decides and sets FSD for ${upses} (nut_role = "primary"); systemd waits for the plan`,
    };
  return { kind: 'lastResort', text: `${name} ${lastResort(configuration, upses)}${timers(file)}` };
}

type Shared = readonly { readonly monitor: Monitor; readonly ups: UpsConfiguration }[];

/** What both would do, with what to change and where. */
function conflictOf(configuration: Configuration, file: UpsmonFile, feeding: Shared): string | null {
  const cuts = feeding.find(({ monitor, ups }) => file.cutsPower && monitor.isPrimary && ups.output !== null);
  if (cuts !== undefined)
    return `both cut the output of ${cuts.ups.policy.label}: it by POWERDOWNFLAG, Ridethrough by ups_output.off_after_shutdown; remove one of the two`;
  const both = feeding.find(({ monitor, ups }) => monitor.isPrimary && ups.role === 'primary');
  if (both !== undefined)
    return `it and Ridethrough are both the primary of ${both.ups.policy.label}: write secondary in its MONITOR line in ${file.path}, or remove nut_role`;
  if (!powersOff(configuration)) return null;
  const late = feeding.find(({ ups: { policy } }) => {
    const { lowBatteryPercent, criticalRuntimeSeconds } =
      deciding(configuration, policy.groupId) ?? policy.triggers;
    return lowBatteryPercent === 0 && criticalRuntimeSeconds === 0;
  });
  if (late !== undefined)
    return (
      `it powers this machine off when ${late.ups.policy.label} shows LB, and so does Ridethrough, since low_battery_threshold and ` +
      `critical_runtime_threshold are 0: its shutdown would cut off the plan. Set one of them, or write 0 as the power value of the MONITOR line (and MINSUPPLIES 0) in ${file.path}`
    );
  const group = hostGroupOf(configuration);
  if (group !== undefined && file.minSupplies > group.minHealthy)
    return (
      `it powers this machine off with fewer than ${String(file.minSupplies)} UPSes (MINSUPPLIES), Ridethrough with fewer than ` +
      `${String(group.minHealthy)} (min_healthy of ${group.name}); set MINSUPPLIES ${String(group.minHealthy)} in ${file.path}`
    );
  return null;
}

/** The thresholds that decide about a UPS: those of the group of this machine, if it is a member of it. */
function deciding(configuration: Configuration, groupId: string) {
  const group = hostGroupOf(configuration);
  return group?.members.includes(groupId) === true ? group.triggers : undefined;
}

function lastResort(configuration: Configuration, upses: string): string {
  const what = `powers this machine off when ${upses} shows LB on battery, or FSD`;
  if (!powersOff(configuration)) return `${what}; Ridethrough does not power it off with this configuration`;
  if (configuration.dryRun) return `${what}, and decides alone: Ridethrough runs no step (behavior.dry_run)`;
  const local = [...configuration.ups, ...configuration.redundancyGroups].find(
    ({ policy }) => policy.isLocal,
  );
  const plan = plansOf(configuration).find(({ group }) => group === local?.policy.groupId);
  const bound = plan === undefined ? '' : ` (up to ${formatPlanTime(plan.boundSeconds)})`;
  const { lowBatteryPercent = 0, criticalRuntimeSeconds = 0 } = local?.policy.triggers ?? {};
  const limits = [
    ...(lowBatteryPercent > 0
      ? [`battery.charge.low below low_battery_threshold, ${String(lowBatteryPercent)} %`]
      : []),
    ...(criticalRuntimeSeconds > 0
      ? [`battery.runtime.low below critical_runtime_threshold, ${formatSetting(criticalRuntimeSeconds)}`]
      : []),
  ];
  return `${what}: the last resort below the thresholds of Ridethrough. Keep ${joinNames(limits, 'and')}, by the time of the plan${bound}`;
}

function timers({ notifyCommand }: UpsmonFile): string {
  return /(?:^|\/)upssched\b/.test(notifyCommand)
    ? '; upssched.conf may hold timers that call upsmon -c fsd earlier'
    : '';
}

function powersOff({ localShutdown, ...configuration }: Configuration): boolean {
  const plans = plansOf({ localShutdown, ...configuration });
  return plans.some(({ phases }) =>
    phases.some(({ steps }) => steps.some(({ action }) => action.kind === 'poweroff')),
  );
}

function isReal(command: string): boolean {
  return command.trim() !== '' && !/^(?:\S*\/)?(?:true|:|echo|logger|exit)(?:\s|$)/.test(command.trim());
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

function isSame({ system }: Monitor, { ups, host, port }: UpsConfiguration['address']): boolean {
  const other = parseUpsName(system);
  if (other === undefined || other.ups.toLowerCase() !== ups.toLowerCase() || other.port !== port)
    return false;
  return (
    other.host.toLowerCase() === host.toLowerCase() || (loopback.test(other.host) && loopback.test(host))
  );
}
