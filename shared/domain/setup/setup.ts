// The first configuration of somebody who has NUT and nothing else: the composer of `ridethrough init` and of the page.
import { DraftTable } from './config-draft.js';
import { triggerKeys } from '../triggers/table.js';

export interface SetupServer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** "" for the default of the daemon. */
  readonly command: string;
}

export interface SetupUps {
  readonly name: string;
  /** "" for none. */
  readonly displayName: string;
  /** Its server has answered. */
  readonly isRead: boolean;
  /** What is known of it, as comments. */
  readonly notes: readonly string[];
  readonly login: { readonly username: string; readonly passwordFile: string } | null;
}

export interface Setup {
  readonly upses: readonly SetupUps[];
  /** Names of the UPSes that power the machine of the daemon: with several, any one of them carries it. */
  readonly local: readonly string[];
  /** Each with the UPS that powers it; null: those that power the machine of the daemon. */
  readonly servers: readonly (SetupServer & { readonly ups: string | null })[];
  readonly servesPage: boolean;
}

const groupName = 'this-machine';

/** The head that every written configuration has. */
export function tableWithHead(by: string): DraftTable {
  return new DraftTable()
    .note(`Written by ${by}. A dry run: it changes nothing on any machine and logs each step.`)
    .note('Every key with its default: config.reference.toml, in the documentation.')
    .note('To arm it: pull the plug and watch the dry run; set dry_run = false; ridethrough reload.');
}

export function composeSetup(setup: Setup, by: string): DraftTable {
  const { upses, local, servers, servesPage } = setup;
  const file = tableWithHead(by);
  file.table('behavior').set('dry_run', true, 'false: a shutdown is real');
  const isGroup = local.length > 1;
  for (const ups of upses) {
    const row = file.row('ups');
    ups.notes.forEach((text) => row.note(text));
    row.set('name', ups.name);
    if (ups.displayName !== '') row.set('display_name', ups.displayName);
    const isLocal = !isGroup && local.includes(ups.name);
    if (isLocal) row.set('is_local', true, 'it powers this machine');
    if (ups.login !== null)
      row.table('nut').set('username', ups.login.username).set('password', { file: ups.login.passwordFile });
    for (const server of servers)
      if (server.ups === ups.name || (isLocal && server.ups === null)) addServer(row, server);
  }
  if (isGroup) {
    const group = file.row('redundancy_groups');
    group.note('This machine has several feeds: it goes down when too few of them can carry it.');
    group.set('name', groupName).set('ups_sources', local).set('min_healthy', 1).set('is_local', true);
    for (const server of servers) if (server.ups === null) addServer(group, server);
  }
  addTriggers(file);
  const shutdown = file.table('local_shutdown');
  if (local.length > 0) setPowerOff(shutdown);
  else shutdown.set('trigger_on', 'none', 'no UPS here powers this machine: it stays on');
  if (servesPage) file.table('api').set('enabled', true, 'dashboard and API on http://127.0.0.1:9191/');
  return file;
}

/** Past logind, whose block inhibitors refuse root too from systemd 257 on. */
export const fallbackCommand = 'systemctl --no-block --job-mode=replace-irreversibly start poweroff.target';

export function setPowerOff(localShutdown: DraftTable): void {
  localShutdown
    .set('command', 'shutdown -h now')
    .set('fallback_command', fallbackCommand, 'after three refusals: a lock of logind may refuse `shutdown`');
}

/** A server below the UPS or group that powers it. */
export function addServer(owner: DraftTable, { name, host, port, user, command }: SetupServer): void {
  const row = owner.row('remote_servers');
  row.set('name', name).set('host', host);
  if (port !== 22) row.set('port', port);
  row.set('user', user);
  if (command !== '') row.set('shutdown_command', command);
}

function addTriggers(file: DraftTable): void {
  const { low_battery_threshold: charge, critical_runtime_threshold: runtime } = triggerKeys;
  const { threshold } = triggerKeys.extended_time.keys;
  const triggers = file.table('triggers');
  triggers.note(
    'On battery, the first of these starts the shutdown; so do LB, a fast fall of the charge, and FSD.',
  );
  triggers.set('low_battery_threshold', charge.fallback, 'percent');
  triggers.set('critical_runtime_threshold', runtime.fallback, 'seconds that the battery still lasts');
  triggers.table('extended_time').set('threshold', threshold.fallback, 'seconds on battery');
}
