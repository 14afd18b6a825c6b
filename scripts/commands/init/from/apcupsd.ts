// apcupsd.conf as a configuration. A directive that the file does not have keeps the value that apcupsd itself takes for it.
import { dirname } from 'node:path';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import { upsKeys } from '../../../../supervisor/config/schema/ups.js';
import { addApccontrol } from './apccontrol.js';
import type { OneUps } from './one-ups.js';
import { oneUps, oneUpsDraft } from './one-ups.js';
import type { ImportedSource } from './source.js';
import {
  carry,
  carryTimeOnBattery,
  linesOf,
  readSource,
  tellOfFailsafe,
  tellOfStabilization,
  withoutDepletion,
} from './source.js';

/** Of the program (src/apcconfig.c). The file that distributions ship has other numbers in its lines. */
const defaults = { BATTERYLEVEL: '10', MINUTES: '5', TIMEOUT: '0', ONBATTERYDELAY: '6' } as const;

/** NUT has a driver for each. */
const drivers: Readonly<Record<string, string>> = {
  usb: 'usbhid-ups',
  apcsmart: 'apcsmart',
  smart: 'apcsmart',
  dumb: 'genericups',
  snmp: 'snmp-ups',
  net: 'apcupsd-ups, with apcupsd left as the driver',
  pcnet: 'snmp-ups, or apcupsd-ups with apcupsd left as the driver',
  modbus: 'apc_modbus',
};

const inDriver = 'a setting of the UPS: upsrw, or nut_control.allowed_variables';
const leftOut: Readonly<Record<string, string>> = {
  UPSCABLE: 'the driver of NUT finds the cable',
  DEVICE: '`port` in ups.conf, with its passphrase or community there',
  POLLTIME: 'check_interval is the pace of the daemon, `pollinterval` in ups.conf that of the driver',
  ONBATTERYDELAY:
    '`after` of a notification service or a hook; a shutdown waits on_battery_stabilization_delay',
  ANNOY: 'local_shutdown.wall tells users once, when the shutdown begins',
  ANNOYDELAY: 'local_shutdown.wall tells users once, when the shutdown begins',
  NOLOGON: 'logins stay possible; local_shutdown.wall tells users',
  KILLDELAY: 'ups_output.off_after_shutdown, with a delay that the daemon reads back from the UPS',
  NETSERVER: 'the API ([api]); clients of apcupsd become remote servers, or clients of NUT',
  NISIP: 'api.bind',
  NISPORT: 'api.port',
  RETURNCHARGE: 'battery.charge.restart of the UPS; `ridethrough wait --charge` for services',
  LOWBATT: 'battery.runtime.low of the UPS',
  EVENTSFILE: 'the history: ridethrough events',
  EVENTSFILEMAX: 'statistics.retention',
  STATFILE: 'ridethrough status',
  STATTIME: 'ridethrough status',
  LOGSTATS: 'the history, and /metrics',
  DATATIME: 'statistics.retention',
  FACILITY: 'logging.syslog.facility',
  LOCKFILE: 'nothing to lock: NUT owns the port',
  SCRIPTDIR: 'programs in it are below, as hooks',
  PWRFAILDIR: 'local_shutdown.powerdown_flag',
  NOLOGINDIR: 'logins stay possible',
  UPSCLASS: 'one computer and its UPS is all there is here; several: remote_servers',
  UPSMODE: 'one computer and its UPS is all there is here; several: remote_servers',
};
for (const key of [
  'WAKEUP',
  'SLEEP',
  'LOTRANSFER',
  'HITRANSFER',
  'BEEPSTATE',
  'SENSITIVITY',
  'OUTPUTVOLTS',
  'NETTIME',
])
  (leftOut as Record<string, string>)[key] ??= inDriver;

interface Directive {
  readonly number: number;
  readonly key: string;
  readonly value: string;
}

export async function importApcupsd(path: string, ups: string | undefined): Promise<ImportedSource> {
  const source = readSource(path);
  if (!source.ok) return source;
  const directives = linesOf(source.text).flatMap(({ number, text }): Directive[] => {
    const [, key = '', value = ''] =
      /^\s*([A-Za-z]\w{0,39})(?:\s+(.*?))?\s*$/.exec(text.replace(/#.*$/, '')) ?? [];
    return key === '' ? [] : [{ number, key: key.toUpperCase(), value }];
  });
  if (!directives.some(({ key }) => carried.includes(key) || key in leftOut))
    return { ok: false, message: `${path} has no directive of apcupsd: is it apcupsd.conf?` };
  const found = await oneUps(ups);
  return {
    ok: true,
    draft: { compose: () => composeDraft(directives, dirname(path), found), secrets: [], unread: [] },
  };
}

function composeDraft(directives: readonly Directive[], folder: string, found: OneUps): DraftTable {
  const { file, ups } = oneUpsDraft('ridethrough init --from-apcupsd', found);
  const value = (key: string): string | undefined =>
    directives.findLast((directive) => directive.key === key)?.value;
  const name = value('UPSNAME');
  if (name !== undefined && name !== '')
    carry(ups, 'display_name', upsKeys.display_name.codec, name, { what: 'UPSNAME', comment: 'UPSNAME' });
  addTriggers(file, (key) => value(key) ?? defaults[key]);
  // A client of another apcupsd goes down too where it loses that one on battery.
  if (value('UPSTYPE')?.toLowerCase() !== 'net') tellOfFailsafe(file.table('triggers'), 'apcupsd');
  addBattery(file, value('SELFTEST'), value('BATTDATE'));
  const delay = Number.parseInt(value('ONBATTERYDELAY') ?? defaults.ONBATTERYDELAY, 10);
  addApccontrol(file, value('SCRIPTDIR') ?? folder, { delay, upsName: name, ownName: found.name });
  for (const { number, key, value: text } of directives) {
    const what = `apcupsd.conf line ${String(number)}, ${key}${mayBeShown(key, text) ? ` ${text}` : ''}`;
    if (key === 'UPSTYPE')
      ups.leavesOut(
        what,
        `the driver in ups.conf of NUT: ${drivers[text.toLowerCase()] ?? 'see the list of supported hardware'}`,
      );
    else if (!carried.includes(key) && !(key in leftOut && isOff.test(text)))
      place(file, ups, key).leavesOut(what, leftOut[key] ?? 'not known to ridethrough init');
  }
  return file;
}

/** Not a DEVICE with a passphrase or community, nor a directive that is not known: it may be one. */
const mayBeShown = (key: string, text: string): boolean =>
  /^[\w./:-]{1,40}$/.test(text) &&
  (key === 'DEVICE' ? text.startsWith('/') : carried.includes(key) || key in leftOut);

/** What is off there needs no counterpart. */
const isOff = /^(?:0|-1|off|disable|standalone)?$/i;

const carried = ['UPSNAME', 'BATTERYLEVEL', 'MINUTES', 'TIMEOUT', 'SELFTEST', 'BATTDATE', 'UPSTYPE'];

function place(file: DraftTable, ups: DraftTable, key: string): DraftTable {
  if (
    leftOut[key] === inDriver ||
    ['UPSCABLE', 'DEVICE', 'LOWBATT', 'RETURNCHARGE', 'POLLTIME'].includes(key)
  )
    return ups;
  if (['ANNOY', 'ANNOYDELAY', 'NOLOGON', 'KILLDELAY', 'PWRFAILDIR'].includes(key))
    return file.table('local_shutdown');
  return file;
}

function addTriggers(file: DraftTable, value: (key: 'BATTERYLEVEL' | 'MINUTES' | 'TIMEOUT') => string): void {
  const triggers = file.table('triggers');
  const keys = fileKeys.triggers.keys;
  /** Below 0: off. */
  const number = (key: 'BATTERYLEVEL' | 'MINUTES' | 'TIMEOUT'): number => {
    // apcupsd reads the digits that it begins with.
    return Math.max(0, Number(/^[-+]?\d{1,9}/.exec(value(key))?.[0] ?? NaN));
  };
  const [charge, runtime, time] = [number('BATTERYLEVEL'), number('MINUTES') * 60, number('TIMEOUT')];
  if (
    !carry(triggers, 'low_battery_threshold', keys.low_battery_threshold.codec, charge, {
      what: `BATTERYLEVEL ${value('BATTERYLEVEL')}`,
      comment: 'BATTERYLEVEL, percent',
    })
  )
    triggers.set('low_battery_threshold', 0, 'off');
  if (
    !carry(triggers, 'critical_runtime_threshold', keys.critical_runtime_threshold.codec, runtime, {
      what: `MINUTES ${value('MINUTES')}`,
      comment: 'MINUTES, in seconds',
    })
  )
    triggers.set('critical_runtime_threshold', 0, 'off');
  triggers.set('trigger_on_low_battery_flag', true, 'apcupsd obeys it too');
  withoutDepletion(triggers, 'apcupsd');
  const extended = triggers.table('extended_time');
  const what = `TIMEOUT ${value('TIMEOUT')}`;
  const isTimed = time > 0 && carryTimeOnBattery(triggers, time, { what, comment: 'TIMEOUT' });
  if (!isTimed) extended.set('enabled', false, 'TIMEOUT is off');
  if (charge > 0 || runtime > 0) {
    triggers.leavesOut(
      'BATTERYLEVEL and MINUTES',
      'apcupsd acts at the number itself; here below it: one step of the gauge later',
    );
    tellOfStabilization(triggers, 'apcupsd');
  }
  if (Number.isNaN(time)) extended.leavesOut(`TIMEOUT ${value('TIMEOUT')}`, 'it is no number');
}

function addBattery(file: DraftTable, test: string | undefined, date: string | undefined): void {
  const hours = Number(test ?? 0);
  if (test !== undefined && hours > 0 && hours % 24 === 0 && hours <= 3650 * 24)
    file
      .table('self_test')
      .set('enabled', false, 'true needs a user of [nut_control]')
      .set('schedule', `every ${String(hours / 24)}d`, 'SELFTEST');
  else if (test !== undefined && test.toUpperCase() !== 'OFF')
    file.table('self_test').leavesOut(`SELFTEST ${test.slice(0, 20)}`, 'self_test.schedule takes whole days');
  const [, month = '', day = '', year = ''] = /^(\d\d)\/(\d\d)\/(\d\d)$/.exec(date ?? '') ?? [];
  const health = file.table('battery_health');
  const { codec } = fileKeys.battery_health.keys.battery_install_date;
  if (date === undefined || date === '') return;
  if (year === '') health.leavesOut(`BATTDATE ${date.slice(0, 20)}`, 'battery_install_date takes a date');
  else
    carry(health, 'battery_install_date', codec, `20${year}-${month}-${day}`, {
      what: `BATTDATE ${date}`,
      comment: 'BATTDATE',
    });
}
