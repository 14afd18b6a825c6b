// upsmon.conf with upssched.conf and ups.conf beside it, as a configuration. upsmon has one condition, LB (or FSD): every other
// trigger is off unless upssched has a timer for it.
import { join } from 'node:path';
import { tableWithHead } from '../../../../shared/domain/setup/setup.js';
import { withTime } from '../../../../shared/domain/commands/shutdown-line.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { lastOf, leadingNumber, upsmonAsRunner, upsmonLines } from './upsmon-lines.js';
import { addNotices, flagsOf, runsUpssched } from './upsmon-notices.js';
import { addSupplies, suppliesOf } from './upsmon-supplies.js';
import { tellOfShutdownCommand } from './shutdown-command.js';
import { addUpssched } from './upssched.js';
import { addUpsConf } from './ups-conf.js';
import type { ImportedSource } from './source.js';
import { carry, readSource, DraftSecrets, shellCommand, withoutDepletion } from './source.js';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';

/** Without a counterpart, each with the reason. Their values are not shown: some are secrets. */
const leftOut: Readonly<Record<string, string>> = {
  RBWARNTIME: '`repeat` of a notification service',
  NOCOMMWARNTIME: '`repeat` of a notification service, or a hook on CONNECTION_LOST with `after`',
  NOTIFYMSG: '`title` and `body` of a notification service',
  RUN_AS_USER: 'the workers of the daemon have users of their own (supervisor.worker_users)',
  OFFDURATION:
    'set `triggers.output_off_delay` (30 s; 0 for a negative one): OFF counts in an outage, and in a redundancy group',
  OBLBDURATION:
    'LB waits `low_battery_flag_delay` where charge and runtime contradict it, and 5 s at most else',
  OVERDURATION: 'an overload is an event (OVERLOAD_ACTIVE) and starts no shutdown',
  ALARMCRITICAL: 'an alarm alone starts no shutdown; it is the event UPS_ALARM',
  SHUTDOWNEXIT: 'a secondary logs out when its own shutdown is done',
  CERTIDENT: 'a client certificate is a file: nut.cert_file and nut.key_file',
  CERTFILE: 'a client certificate is a file: nut.cert_file and nut.key_file',
  CERTHOST:
    'the certificate of a server is checked by nut.ca_file, or by nut.pin_sha256 with its fingerprint',
  CERTPATH: 'nut.ca_file takes one PEM file with the certificates of the CAs',
  CERTVERIFY: 'nut.tls = "required" with nut.ca_file or nut.pin_sha256',
  SHUTDOWN_HOSTSYNC: 'nut.hostsync is the only wait',
  DEBUG_MIN: 'logging.level',
  POLLFAIL_LOG_THROTTLE_MAX: 'a change is logged once',
};

const carried = [
  'MONITOR',
  'MINSUPPLIES',
  'SHUTDOWNCMD',
  'POLLFREQ',
  'POLLFREQALERT',
  'DEADTIME',
  'HOSTSYNC',
  'FINALDELAY',
  'POWERDOWNFLAG',
  'NOTIFYCMD',
  'NOTIFYFLAG',
  'FORCESSL',
];

export function importUpsmon(directory: string): ImportedSource {
  const path = join(directory, 'upsmon.conf');
  const source = readSource(path);
  if (!source.ok) return source;
  const lines = upsmonLines(source.text);
  const supplies = suppliesOf(lines);
  if (supplies.length === 0)
    return {
      ok: false,
      message: `${path} has no MONITOR line with a name that upsc takes: there is no UPS to carry`,
    };
  const secrets = new DraftSecrets();
  // Made twice if need be; the names of the secrets stay.
  const compose = (folder: string): DraftTable => {
    const file = tableWithHead('ridethrough init --from-upsmon');
    file.table('behavior').set('dry_run', true, 'false: a shutdown is real');
    const upses = addSupplies(file, lines, { secrets, folder });
    const triggers = addTriggers(file, lines);
    addShutdown(file, lines);
    addNut(
      file,
      lines,
      supplies.some(({ isPrimary }) => isPrimary),
    );
    const names = supplies.map(({ name }) => name);
    const hooks = addNotices(file, { lines, names, upses });
    if (runsUpssched(lines))
      addUpssched(file, {
        directory,
        names,
        upses,
        hooks,
        upsmon: lines,
      });
    addUpsConf({ directory, supplies, upses });
    tellOfNoCommand(file, lines);
    for (const { number, key } of lines)
      if (!carried.includes(key))
        triggersOrFile(file, triggers, key).leavesOut(
          `upsmon.conf line ${String(number)}, ${key}`,
          leftOut[key] ?? 'not known to ridethrough init',
        );
    return file;
  };
  compose('/');
  return { ok: true, draft: { compose, secrets: secrets.all, unread: [] } };
}

/** What belongs to a trigger is listed there. */
function triggersOrFile(file: DraftTable, triggers: DraftTable, key: string): DraftTable {
  if (/^(?:OFFDURATION|OBLBDURATION|OVERDURATION|ALARMCRITICAL)$/.test(key)) return triggers;
  if (/^CERT/.test(key)) return file.table('nut');
  if (key === 'SHUTDOWN_HOSTSYNC') return file.table('local_shutdown');
  return file;
}

function addTriggers(file: DraftTable, lines: readonly UpsmonLine[]): DraftTable {
  const triggers = file.table('triggers');
  const keys = fileKeys.triggers.keys;
  triggers.note('upsmon shuts down at LB or FSD only, so the other triggers are off.');
  triggers.set('low_battery_threshold', 0, 'off; percent');
  triggers.set('critical_runtime_threshold', 0, 'off; seconds');
  triggers.set('trigger_on_low_battery_flag', true, 'LB');
  const dead = lastOf(lines, 'DEADTIME') ?? '15';
  carry(triggers, 'failsafe_delay', keys.failsafe_delay.codec, leadingNumber(dead) ?? dead, {
    what: `DEADTIME ${dead}`,
    comment: 'DEADTIME',
  });
  withoutDepletion(triggers, 'upsmon');
  triggers.table('extended_time').set('enabled', false, 'off, unless upssched has a timer that shuts down');
  return triggers;
}

function addShutdown(file: DraftTable, lines: readonly UpsmonLine[]): void {
  const shutdown = file.table('local_shutdown');
  const command = lastOf(lines, 'SHUTDOWNCMD') ?? '';
  const words = shellCommand(command);
  const timed = withTime(words);
  if (command === '') shutdown.set('enabled', false, 'no SHUTDOWNCMD');
  else
    carry(shutdown, 'command', fileKeys.local_shutdown.keys.command.codec, timed, {
      what: 'SHUTDOWNCMD',
      comment: timed === words ? 'SHUTDOWNCMD' : 'SHUTDOWNCMD, which gives shutdown no time; "now" is added',
    });
  if (command !== '' && shutdown.get('command') === undefined)
    shutdown.set('enabled', false, 'SHUTDOWNCMD was not carried');
  tellOfWords(shutdown, lines, timed !== words);
  tellOfFinalDelay(shutdown, lines);
  if (command !== '') tellOfShutdownCommand(file, command, upsmonAsRunner(lines));
  // upsmon's own default is SYSLOG+WALL.
  const flags = flagsOf(lines).get('SHUTDOWN');
  if (flags === undefined || flags.has('WALL')) shutdown.set('wall', true, 'NOTIFYFLAG SHUTDOWN WALL');
}

/** After its scripts, one of which may have the power-off. */
function tellOfNoCommand(file: DraftTable, lines: readonly UpsmonLine[]): void {
  const shutdown = file.table('local_shutdown');
  if ((lastOf(lines, 'SHUTDOWNCMD') ?? '') === '' && shutdown.get('enabled') === false)
    shutdown.leavesOut(
      'SHUTDOWNCMD',
      'no line has one, and upsmon itself powered nothing off: local_shutdown.enabled = false. Where a script of it powers this machine off, remove that and set local_shutdown.command',
    );
}

/** What upsmon runs of its line, and when it is at once here. */
function tellOfWords(shutdown: DraftTable, lines: readonly UpsmonLine[], getsTime: boolean): void {
  const line = lines.findLast(({ key }) => key === 'SHUTDOWNCMD');
  if (line === undefined) return;
  const what = `upsmon.conf line ${String(line.number)}, SHUTDOWNCMD`;
  if (line.words.length > 1)
    shutdown.leavesOut(
      what,
      'upsmon runs its first word alone, and so does local_shutdown.command: all of them as one need quotation marks',
    );
  if (getsTime)
    shutdown.leavesOut(
      what,
      'without a time shutdown waits a minute under systemd; here "now" is added: this machine goes down that much earlier',
    );
}

/** Between the message of upsmon and its SHUTDOWNCMD; its own default is 5 s. */
function tellOfFinalDelay(shutdown: DraftTable, lines: readonly UpsmonLine[]): void {
  const line = lines.findLast(({ key }) => key === 'FINALDELAY');
  const delay = line?.words[0] ?? '5';
  const seconds = leadingNumber(delay);
  if (seconds === 0) return;
  shutdown.leavesOut(
    line === undefined
      ? 'FINALDELAY, which no line sets'
      : `upsmon.conf line ${String(line.number)}, FINALDELAY`,
    `upsmon waited ${seconds === null ? 'so long' : `${String(seconds)} s`} before SHUTDOWNCMD; a plan has no such pause: this machine goes down that much earlier`,
  );
}

function addNut(file: DraftTable, lines: readonly UpsmonLine[], isPrimary: boolean): void {
  const nut = file.table('nut');
  const flag = lastOf(lines, 'POWERDOWNFLAG');
  const hostsync = lastOf(lines, 'HOSTSYNC') ?? '15';
  if (isPrimary) {
    carry(nut, 'hostsync', fileKeys.nut.keys.hostsync.codec, leadingNumber(hostsync) ?? hostsync, {
      what: `HOSTSYNC ${hostsync}`,
      comment: 'HOSTSYNC',
    });
    if (flag !== undefined)
      carry(
        file.table('local_shutdown'),
        'powerdown_flag',
        fileKeys.local_shutdown.keys.powerdown_flag.codec,
        flag,
        {
          what: 'POWERDOWNFLAG',
          comment: 'POWERDOWNFLAG: the late hook of NUT cuts the power',
        },
      );
  } else if (flag !== undefined)
    file
      .table('local_shutdown')
      .leavesOut('POWERDOWNFLAG', 'upsmon writes it on a primary only, and this host is none');
  if (lastOf(lines, 'FORCESSL') === '1')
    nut.set('tls', 'required', 'FORCESSL 1; see docs/nut.md for the certificate');
}
