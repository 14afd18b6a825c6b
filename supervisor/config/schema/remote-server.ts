// [[…remote_servers]]: a machine that is shut down over SSH, and its wake-up. [shutdown]: how it is found to be off.
import type { Key } from '../../../shared/domain/base/keys.js';
import { count, key, onOff, required, rows, seconds, table, word } from '../../../shared/domain/base/keys.js';
import { maxStopSeconds } from '../../../shared/domain/actions/containers.js';
import { serverActionNames } from '../../../shared/domain/actions/on-servers.js';
import { mounts } from './local-resources.js';
import { absolutePath, filledLine, host, line, port, textThat } from './values.js';

const user = textThat('a user name', (text) => /^[A-Za-z0-9_][A-Za-z0-9_.@\\$-]{0,127}$/.test(text));
const hardwareAddress = textThat('a hardware address such as "00:00:5e:00:53:01"', (text) =>
  /^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$/.test(text),
);
const bootCheck = textThat('"ssh" or "tcp:PORT"', (text) => {
  const tcp = /^tcp:(\d{1,5})$/.exec(text);
  return text === 'ssh' || (tcp !== null && Number(tcp[1]) >= 1 && Number(tcp[1]) <= 65535);
});

export const preShutdownKeys = {
  // check/actions.ts checks the keys that each action needs.
  action: word(serverActionNames, null),
  command: key(filledLine(4096), null),
  timeout: seconds(0.1, maxStopSeconds, null),
  path: key(absolutePath, null),
  mounts: mounts(null),
};

export const wakeKeys = {
  mac: key(hardwareAddress, null),
  broadcast: key(host, '255.255.255.255'),
  port: key(port, 9),
  command: key(filledLine(4096), null),
  via: key(line(128), null),
};

/** [shutdown]: for all servers; a server overrides each key. */
export const shutdownKeys = {
  wait_for: word(['off', 'commanded'], 'off'),
  halt_timeout: seconds(1, 3600, 120),
  halt_settle: seconds(0, 600, 10),
  off_check: word(['tcp', 'ping', 'none'], 'tcp'),
  // Null: the port of SSH.
  off_port: key(port, null),
};
type ShutdownKeys = typeof shutdownKeys;

type WithoutDefault<E> = E extends Key<infer A, unknown, infer P, infer S> ? Key<A, null, P, S> : never;

/** Each key overrides that of [shutdown]. */
const ownShutdownKeys = Object.fromEntries(
  Object.entries(shutdownKeys).map(([name, own]) => [name, { ...own, fallback: null }]),
) as { readonly [N in keyof ShutdownKeys]: WithoutDefault<ShutdownKeys[N]> };

export const remoteServerKeys = {
  name: required(filledLine(128)),
  enabled: onOff(true),
  host: required(host),
  port: key(port, 22),
  user: required(user),
  ssh_key_path: key(absolutePath, null),
  known_hosts_file: key(absolutePath, '/var/lib/ridethrough/known_hosts'),
  host_key_policy: word(['strict', 'accept-new'], 'accept-new'),
  connect_timeout: seconds(0.1, 300, 10),
  command_timeout: seconds(0.1, 3600, 30),
  shutdown_order: count(1, 1000, 1),
  when: word(['after_local', 'with_local'], 'after_local'),
  shutdown_safety_margin: seconds(0, 3600, 60),
  ...ownShutdownKeys,
  use_sudo: onOff(false),
  shutdown_command: key(filledLine(4096), 'sudo -n shutdown -h now'),
  host_delegate: onOff(false),
  restart_command: key(filledLine(4096), null),
  pre_shutdown_commands: rows(preShutdownKeys, 100),
  wake: table(wakeKeys),
  boot_order: count(1, 1000, 1),
  boot_timeout: seconds(1, 86_400, 300),
  boot_check: key(bootCheck, 'ssh'),
};
