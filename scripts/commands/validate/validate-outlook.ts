// The behaviour of the daemon, as text for the operator. No policy: thresholds are those that policy gets, commands those of
// the plan that the sequencer runs.
import { kindOf } from '../../../shared/domain/actions/table.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { describeAction } from '../../../shared/domain/outage/plan.js';
import { failsafe } from '../../../shared/domain/triggers/failsafe.js';
import { fsd } from '../../../shared/domain/triggers/fsd.js';
import type { BatteryRule, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { batteryTriggers, triggersOnByDefault } from '../../../shared/domain/triggers/table.js';
import type { OutlookContext } from '../../../shared/domain/triggers/trigger.js';
import type {
  Configuration,
  ResourcesConfiguration,
  UpsConfiguration,
} from '../../../supervisor/config/configuration/configuration.js';
import type { GroupSettings, UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { fedTargets } from '../../../supervisor/config/derive/feeds.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { withoutWaits } from '../../../supervisor/policy/plan/waits.js';
import { joinNames } from '../../../shared/domain/outage/feed.js';
import { weekdays } from '../../../shared/domain/base/local-calendar.js';
import { formatSetting } from '../../../shared/domain/base/duration.js';
import type { JudgedOutput } from './output-returns.js';
import { hookLines, notifiedServices, serviceParameters, serviceProxies } from './outbound-outlook.js';

export function outlook(
  file: string,
  configuration: Configuration,
  outputs: readonly JudgedOutput[],
): string {
  const plans = new Map(plansOf(configuration).map((plan) => [plan.group, plan]));
  const { ups, redundancyGroups, dryRun, notActive, warnings } = configuration;
  return [
    `${file} is valid. The daemon does this with it:`,
    ...(dryRun ? ['', 'DRY RUN (behavior.dry_run = true): every step is logged, none is run.'] : []),
    ...ups.flatMap((one) => [
      '',
      ...aboutUps(configuration, one, plans.get(one.policy.groupId)),
      ...aboutOutput(outputs.find(({ groupId }) => groupId === one.policy.groupId)),
    ]),
    ...redundancyGroups.flatMap(({ policy }) => [
      '',
      ...aboutGroup(configuration, policy, plans.get(policy.groupId)),
    ]),
    '',
    ...aboutTargets(configuration),
    ...aboutRest(configuration),
    ...section('Configured, but not part of this version', notActive),
    ...section('Warnings', warnings),
    '',
  ].join('\n');
}

function aboutUps(
  configuration: Configuration,
  { policy, readLogin, resources }: UpsConfiguration,
  plan: Plan | undefined,
): readonly string[] {
  const { name, label, transport, checkIntervalMs } = policy;
  const tls = { off: 'without TLS', opportunistic: 'with TLS if the server offers it', required: 'with TLS' };
  const over =
    transport === 'tools' ? 'with the NUT tools' : `over the network, ${tls[configuration.nut.tls]}`;
  const { advisory, groups } = policy;
  return [
    `${label}${label === name ? '' : ` (${name})`}${policy.isLocal ? ', which powers this machine' : ''}`,
    row(
      'polled',
      `every ${formatSetting(checkIntervalMs / 1000)} ${over}${readLogin === null ? '' : `, as ${readLogin.username}`}`,
    ),
    ...(policy.trustsCharge
      ? [row('trusts', 'charge and runtime, also on line power, where charge or input voltage contradict it')]
      : []),
    row('doubts', doubtsOf(policy)),
    ...(advisory
      ? [
          row('shuts down', `nothing by itself: it is a member of ${joinNames(groups, 'and')}`),
          ...aboutTriggers('is critical', policy),
        ]
      : [
          ...aboutTriggers('shuts down', policy),
          ...aboutPlan(configuration, plan),
          ...aboutLoad(policy.isLocal, resources),
        ]),
    ...(advisory || groups.length === 0
      ? []
      : [row('', `that is what it alone feeds; it is a member of ${joinNames(groups, 'and')} too`)]),
  ];
}

/** An output that may stay off is a warning, and one that comes back needs no word. */
function aboutOutput(output: JudgedOutput | undefined): readonly string[] {
  return output?.verdict === 'unknown'
    ? [row('output', `not known whether it comes back: ${output.reason}`)]
    : [];
}

/** What jumps below its threshold must outlast the time for which a NUT driver shows one sample. */
function doubtsOf({ holds: { valueMs, statusMs } }: UpsConfiguration['policy']): string {
  const given = (ms: number | null, otherwise: string) =>
    ms === null ? otherwise : ms === 0 ? 'is not doubted' : `for ${formatSetting(ms / 1000)}`;
  const values = given(valueMs, 'as long as its NUT driver may show one sample, 60 s at most');
  const status = given(statusMs, 'as long as its NUT driver may show a status, 60 s at most');
  const flag = statusMs === null || statusMs > 5_000 ? ', LB for 5 s at most' : '';
  return `a value that jumps ${values} (value_hold); LB and what decides in a group ${status}${flag} (status_hold)`;
}

function aboutGroup(
  configuration: Configuration,
  group: GroupSettings,
  plan: Plan | undefined,
): readonly string[] {
  const names = configuration.ups
    .filter(({ policy }) => group.members.includes(policy.groupId))
    .map(({ policy }) => policy.label);
  const own = configuration.redundancyGroups.find(({ policy }) => policy.groupId === group.groupId);
  const least = `fewer than ${String(group.minHealthy)} of ${String(group.members.length)} members are healthy`;
  const counted = `degraded counts as ${group.degradedCountsAs}, unknown as ${group.unknownCountsAs}`;
  return [
    `${group.name}, redundancy group of ${names.join(', ')}${group.isLocal ? ', which powers this machine' : ''}`,
    row('shuts down', `when ${least}, and one of them is critical or was last seen on battery`),
    row('', counted),
    row('critical', 'is a member that is so by itself, is overloaded on battery for 10 s, or'),
    ...onBattery('', group.triggers, { toleratedPolls: 0, duration: formatSetting }),
    ...aboutPlan(configuration, plan),
    ...(own === undefined ? [] : aboutLoad(group.isLocal, own.resources)),
  ];
}

function aboutTriggers(verb: string, policy: UpsSettings): readonly string[] {
  const { bypassEndMs } = policy.triggers;
  const bypass =
    bypassEndMs === 0
      ? 'never by BYPASS (bypass_end_delay 0)'
      : `or BYPASS with mains for ${formatSetting(bypassEndMs / 1000)} (bypass_end_delay)`;
  const context = { toleratedPolls: policy.maxStaleDataTolerance, duration: formatSetting };
  return [
    row(verb, 'immediately:'),
    ...[fsd, failsafe].map(({ outlook }) => detail(...outlook(policy.triggers, context))),
    ...onBattery('', policy.triggers, context),
    row('power back', `after line power in ${readingsOf(policy.triggers)}, ${bypass}`),
  ];
}

function onBattery(label: string, settings: TriggerSettings, context: OutlookContext): readonly string[] {
  const { stabilizationMs } = settings;
  const delay = stabilizationMs === 0 ? '' : ` for ${formatSetting(stabilizationMs / 1000)} or more`;
  // One that is off, as it is by default, needs no word.
  const isShown = (rule: BatteryRule) => rule.isOn(settings) || triggersOnByDefault.includes(rule);
  return [
    row(label, `on battery${delay}, if one of these is true in ${readingsOf(settings)}:`),
    ...batteryTriggers.filter(isShown).map(({ outlook }) => detail(...outlook(settings, context))),
  ];
}

const readingsOf = ({ confirmations }: TriggerSettings): string =>
  confirmations === 1 ? 'one reading' : `${String(confirmations)} readings in a row`;

function aboutPlan(configuration: Configuration, plan: Plan | undefined): readonly string[] {
  const steps = plan?.phases.flatMap((phase) => phase.steps) ?? [];
  if (plan === undefined || steps.length === 0) return [row('then runs', whyNothing(configuration))];
  const lines = steps.flatMap((step) => kindOf(step.action).outlook(step.action, describeAction(step)));
  const anyLocal = [...configuration.ups, ...configuration.redundancyGroups].some(
    ({ policy }) => policy.isLocal,
  );
  const powersOffHost = steps.some(({ action }) => action.kind === 'poweroff');
  const reason =
    anyLocal || !powersOffHost
      ? []
      : ['on this machine, since no UPS is marked is_local and trigger_on = "any"'];
  const verb = plan.dryRun ? 'would run' : 'then runs';
  return [
    ...[...lines, ...reason].map((text, index) => row(index === 0 ? verb : '', text)),
    row('', `bound of the plan: ${boundText(plan)}`),
  ];
}

function boundText(plan: Plan): string {
  const bareSeconds = withoutWaits(plan).boundSeconds;
  const bare = bareSeconds === plan.boundSeconds ? '' : `, ${formatSetting(bareSeconds)} without waits`;
  return `${formatSetting(plan.boundSeconds)}${bare}`;
}

function whyNothing({ localShutdown, ups, redundancyGroups }: Configuration): string {
  if (!localShutdown.enabled) return 'nothing on this machine: local_shutdown.enabled = false';
  const local = [...ups, ...redundancyGroups].find(({ policy }) => policy.isLocal)?.policy;
  if (local !== undefined)
    return `nothing on this machine, which ${'label' in local ? local.label : local.name} powers`;
  return 'nothing on this machine: nothing powers it (is_local) and local_shutdown.trigger_on = "none"';
}

function aboutLoad(isLocal: boolean, resources: ResourcesConfiguration): readonly string[] {
  const { virtualMachines, containers, filesystems, remoteServers } = resources;
  const load = [
    ...(isLocal ? ['this machine'] : []),
    ...(virtualMachines.enabled ? ['its virtual machines'] : []),
    ...(containers.enabled ? ['its containers'] : []),
    ...(filesystems.unmount.enabled ? filesystems.unmount.mounts.map(({ path }) => path) : []),
    ...remoteServers.map(
      ({ name, user, host, enabled }) => `${name} (${user}@${host}${enabled ? '' : ', not enabled'})`,
    ),
  ];
  return load.map((text, index) => row(index === 0 ? 'feeds' : '', text));
}

/** What must fail for each target to go down. */
function aboutTargets(configuration: Configuration): readonly string[] {
  const targets = fedTargets(configuration);
  if (targets.length === 0) return [];
  const width = Math.max(...targets.map(({ name }) => name.length)) + 2;
  const lines = targets.map(
    ({ name, goesDownWhen }) => `  ${name.padEnd(width)}${goesDownWhen.join(', or ')}`,
  );
  return ['What goes down when', ...lines, ''];
}

function aboutRest(configuration: Configuration): readonly string[] {
  const { api, logging, metrics, mqtt, upsmon } = configuration;
  const host = api.bind.includes(':') ? `[${api.bind}]` : api.bind;
  const port = api.port === 0 ? '(a port that the system chooses)' : String(api.port);
  const url = `http://${host}:${port}${api.basePath}`;
  const logs = [
    `standard error (${logging.format}, from level ${logging.level})`,
    ...(logging.file === null ? [] : [logging.file]),
    ...(logging.syslog === null ? [] : [`syslog ${logging.syslog.address}`]),
  ];
  return [
    'The daemon',
    row('API', api.enabled ? `${url}${metrics.enabled ? ', metrics at /metrics' : ''}` : 'off'),
    row('log', logs.join(', ')),
    row('notifies', notifiedServices(configuration)),
    ...optionalRow('parameters', serviceParameters(configuration)),
    ...optionalRow('proxy', serviceProxies(configuration)),
    ...reportLines(configuration),
    ...probes(configuration),
    ...hookLines(configuration).map((line) => row('hook', line)),
    ...(mqtt.enabled ? [row('MQTT', mqttText(mqtt))] : []),
    ...beats(configuration),
    ...(upsmon === null || upsmon.kind === 'conflict' ? [] : [row('upsmon', upsmon.text)]),
  ];
}

function optionalRow(name: string, text: string): readonly string[] {
  return text === '' ? [] : [row(name, text)];
}

function beats({ heartbeat: { url, everyMs, when } }: Configuration): readonly string[] {
  if (url === null) return [];
  const also = when === 'ready' ? ' and every server could be shut down' : '';
  return [row('heartbeat', `every ${formatSetting(everyMs / 1000)}, while every UPS is read${also}`)];
}

function reportLines({ reports, notifications }: Configuration): readonly string[] {
  const { periods, hour, minute, weekday, dayOfMonth } = reports;
  if (periods.length === 0) return [];
  if (notifications.services.length === 0) return [row('reports', 'nothing: notifications.urls is empty')];
  const on = {
    day: 'each day',
    week: `each ${weekdays[weekday] ?? ''} on the seven days before`,
    month: `on day ${String(dayOfMonth)} of a month on the month before`,
  };
  const time = [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
  return [row('reports', `at ${time}: ${periods.map((period) => on[period]).join(', ')}`)];
}

function probes({ ups, redundancyGroups, remoteHealth }: Configuration): readonly string[] {
  const servers = [...ups, ...redundancyGroups].flatMap(({ resources }) => resources.remoteServers);
  const probed = servers.filter(({ enabled }) => enabled).length;
  if (probed === 0) return [];
  const { enabled, probeCommand, intervalMs, checkPrivileges } = remoteHealth;
  if (!enabled) return [row('probes', 'nothing: remote_health.enabled = false')];
  const also = checkPrivileges ? ', and checks whether its commands may be run' : '';
  const every = `every ${formatSetting(intervalMs / 1000)}`;
  const who = probed === 1 ? '1 remote server' : `${String(probed)} remote servers`;
  return [row('probes', `${who} ${every} with the command "${probeCommand}"${also}`)];
}

function mqttText({ broker, topicPrefix, publishIntervalMs, discovery }: Configuration['mqtt']): string {
  const host = broker.host.includes(':') ? `[${broker.host}]` : broker.host;
  const to = `${broker.tls ? 'mqtts' : 'mqtt'}://${host}:${String(broker.port)}`;
  const also = discovery ? ', with discovery documents for Home Assistant' : '';
  return `${topicPrefix}/status to ${to} at every change and every ${formatSetting(publishIntervalMs / 1000)}${also}`;
}

function section(title: string, sentences: readonly string[]): readonly string[] {
  return sentences.length === 0 ? [] : ['', title, ...sentences.map((sentence) => `  ${sentence}`)];
}

const row = (label: string, text: string): string => `  ${label.padEnd(12)}${text}`;
const detail = (label: string, text: string): string => `${' '.repeat(16)}${label.padEnd(18)}${text}`;
