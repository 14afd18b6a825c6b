// Reads the comments of the reference file: its keys, and the default of each.
import { referenceLines } from '../../../scripts/manual/reference-file.js';
import { office, withGroup, withServer } from './loading.js';

/** The full name of every key with a line of its own. */
export function documentedPaths(text: string): readonly string[] {
  return referenceLines(text).map(({ section, key }) => `${section}.${key}`);
}

/** Keys in an inline table or a comment (`boot_order = 1`), which have no section. */
export function inlineKeys(text: string): readonly string[] {
  return [...text.matchAll(/[^\n]\b([a-z0-9_]+) = /g)].map((match) => match[1] ?? '');
}

/** Defaults that no value in the file can express; each has its own test. */
export const implicitDefaults = [
  'ups.display_name',
  'ups.transport',
  'ups.remote_servers.ssh_key_path',
  'ups.remote_servers.pre_shutdown_commands.timeout',
  'ups.virtual_machines.uri',
  'api.auth.enabled',
  'mqtt.broker',
];

const isMarked = (comment: string): boolean => /^default\b/.test(comment);

/** Keys marked `# default`, with the default as TOML. */
export function documentedDefaults(text: string): readonly { path: string; value: string }[] {
  return referenceLines(text).flatMap(({ section, key, value, comment }) => {
    const path = `${section}.${key}`;
    if (!isMarked(comment) || implicitDefaults.includes(path)) return [];
    const stated = /^default:? ("[^"]*"|true|false|\d+(?:\.\d+)?|\[\]|\{\})(?=[,;:]| |$)/.exec(comment);
    return [{ path, value: stated?.[1] ?? value }];
  });
}

const preShutdown = `${withServer}[[ups.remote_servers.pre_shutdown_commands]]\naction = "sync"\n`;

const hook = `${office}[[hooks]]\non = ["ON_BATTERY"]\ncommand = "true"\n`;
const service = `${office}[[notifications.services]]\nurl = "ntfys://ntfy.example/alarms"\n`;

/** A valid file without the key, and the same file with it. */
export function fileWith(path: string, value: string): { withKey: string; without: string } {
  const section = path.slice(0, path.lastIndexOf('.'));
  const line = `${path.slice(path.lastIndexOf('.') + 1)} = ${value}\n`;
  const base = new Map([
    ['ups', office],
    ['ups.remote_servers', withServer],
    ['ups.remote_servers.pre_shutdown_commands', preShutdown],
    ['redundancy_groups', withGroup],
    ['notifications.services', service],
    ['hooks', hook],
  ]).get(section);
  if (base !== undefined) return { withKey: base + line, without: base };
  return { withKey: `${office}[${section}]\n${line}`, without: office };
}
