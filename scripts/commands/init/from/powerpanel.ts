// pwrstatd.conf of PowerPanel for Linux as a configuration. A key that the file does not have keeps the value that pwrstatd itself
// takes for it.
import { dirname, join } from 'node:path';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import { upsKeys } from '../../../../supervisor/config/schema/ups.js';
import { HookRows } from './hook-rows.js';
import { addJudgedHook } from './judged-hook.js';
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
  wholeNumber,
  withoutDepletion,
} from './source.js';

/** As the file describes them itself. */
const defaults = {
  'powerfail-delay': '60',
  'powerfail-shutdown': 'yes',
  'lowbatt-threshold': '35',
  'runtime-threshold': '300',
  'lowbatt-shutdown': 'yes',
  'ups-polling-rate': '3',
} as const;
type Known = keyof typeof defaults;

const leftOut: Readonly<Record<string, string>> = {
  'lowbatt-delay':
    'pwrstatd waits so long at a low battery, which does not wait here: this machine goes down that much earlier',
  'shutdown-sustain': 'ups_output.off_delay; pwrstatd cuts the output also when mains is back by then',
  'turn-ups-off':
    'ups_output.off_after_shutdown, which needs a user of [nut_control]; pwrstatd cuts the output also when mains is back',
  'enable-alarm': 'beeper.enable and beeper.disable of the UPS, by nut_control.allowed_commands',
  hibernate: 'local_shutdown.command, such as "systemctl hibernate"',
  'ups-retry-rate': 'a lost connection is tried again within a second',
  'allowed-device-nodes': '`port` in ups.conf of NUT',
  'prohibit-client-access': '[api]: on this machine only, unless api.bind says otherwise',
  'cloud-active': 'the daemon reports to nobody but [notifications], [mqtt] and [heartbeat]',
  'cloud-account': 'the daemon reports to nobody but [notifications], [mqtt] and [heartbeat]',
};

interface Pair {
  readonly number: number;
  readonly key: string;
  readonly value: string;
}

export async function importPowerpanel(path: string, ups: string | undefined): Promise<ImportedSource> {
  const source = readSource(path);
  if (!source.ok) return source;
  const all = linesOf(source.text).map(({ number, text }): Pair => {
    const [line = ''] = text.split('#');
    const [, key = '', value = ''] = /^\s*([a-z][a-z-]{0,39})\s*=\s*(.*?)\s*$/.exec(line) ?? [
      '',
      '',
      line.trim(),
    ];
    return { number, key, value };
  });
  const pairs = all.filter(({ key }) => key !== '');
  const others = all.filter(({ key, value }) => key === '' && value !== '');
  if (!pairs.some(({ key }) => key in defaults || key in leftOut || key in commands))
    return { ok: false, message: `${path} has no key of PowerPanel: is it pwrstatd.conf?` };
  const found = await oneUps(ups);
  return {
    ok: true,
    draft: { compose: () => composeDraft({ pairs, others }, found, dirname(path)), secrets: [], unread: [] },
  };
}

const commands = {
  'powerfail-cmd-path': 'powerfail',
  'powerfail-active': 'powerfail',
  'powerfail-duration': 'powerfail',
  'lowbatt-cmd-path': 'lowbatt',
  'lowbatt-active': 'lowbatt',
  'lowbatt-duration': 'lowbatt',
} as const;

function composeDraft(
  { pairs, others }: { readonly pairs: readonly Pair[]; readonly others: readonly Pair[] },
  found: OneUps,
  folder: string,
): DraftTable {
  const { file, ups } = oneUpsDraft('ridethrough init --from-powerpanel', found);
  ups.note(
    'NUT drives the UPS: `driver = usbhid-ups`, `port = auto` in ups.conf; pwrstatd must not run beside it.',
  );
  const given = (key: string): string | undefined => pairs.findLast((pair) => pair.key === key)?.value;
  const value = (key: Known): string => given(key) ?? defaults[key];
  const command = (kind: 'powerfail' | 'lowbatt'): string =>
    given(`${kind}-cmd-path`) ?? usualScript(folder, kind);
  const rate = value('ups-polling-rate');
  carry(ups, 'check_interval', upsKeys.check_interval.codec, wholeNumber(rate) ?? rate, {
    what: `ups-polling-rate ${shown(rate)}`,
    comment: 'ups-polling-rate',
  });
  const acts = isOn(value('powerfail-shutdown')) || isOn(value('lowbatt-shutdown'));
  addTriggers(file, value);
  const byScript = addCommands(file, { given, value, command });
  if (acts || byScript) tellOfFailsafe(file.table('triggers'), 'PowerPanel');
  else onlyWatch(file, ups);
  for (const { number, key, value: text } of pairs)
    if (!(key in defaults) && !(key in commands) && !(key in leftOut && isOff.test(text)))
      placeOf(file, ups, key).leavesOut(
        `pwrstatd.conf line ${String(number)}, ${key}${key === 'cloud-account' ? '' : ` ${shown(text)}`}`,
        leftOut[key] ?? 'not known to ridethrough init',
      );
  for (const { number } of others)
    file.leavesOut(
      `pwrstatd.conf line ${String(number)}`,
      'it is no `key = value` with a key in small letters: it is not known what pwrstatd does with it',
    );
  return file;
}

/** What is off there needs no counterpart. */
const isOff = /^(?:no|off|0)?$/i;

const shown = (text: string): string => text.slice(0, 40);
const isOn = (text: string): boolean => /^(?:yes|on|true|1)$/i.test(text);

function placeOf(file: DraftTable, ups: DraftTable, key: string): DraftTable {
  if (key === 'shutdown-sustain' || key === 'turn-ups-off' || key === 'hibernate')
    return file.table('local_shutdown');
  return key === 'allowed-device-nodes' || key === 'enable-alarm' || key === 'ups-retry-rate' ? ups : file;
}

/** Neither FSD nor a lost connection shuts down what PowerPanel left on. */
function onlyWatch(file: DraftTable, ups: DraftTable): void {
  ups.remove('is_local');
  file
    .table('local_shutdown')
    .set('trigger_on', 'none', 'powerfail-shutdown and lowbatt-shutdown are no: this machine stays on');
}

function addTriggers(file: DraftTable, value: (key: Known) => string): void {
  const triggers = file.table('triggers');
  const keys = fileKeys.triggers.keys;
  const acts = isOn(value('lowbatt-shutdown'));
  for (const [key, name, comment] of [
    ['low_battery_threshold', 'lowbatt-threshold', 'percent'],
    ['critical_runtime_threshold', 'runtime-threshold', 'seconds'],
  ] as const) {
    const text = value(name);
    const isCarried =
      acts &&
      carry(triggers, key, keys[key].codec, wholeNumber(text) ?? text, {
        what: `${name} ${shown(text)}`,
        comment: `${name}, ${comment}`,
      });
    if (!isCarried) triggers.set(key, 0, acts ? 'off' : 'off: lowbatt-shutdown = no');
  }
  triggers.set('trigger_on_low_battery_flag', acts, 'LB, set by the UPS itself');
  withoutDepletion(triggers, 'PowerPanel');
  const extended = triggers.table('extended_time');
  const delay = value('powerfail-delay');
  const isTimed =
    isOn(value('powerfail-shutdown')) &&
    carryTimeOnBattery(triggers, wholeNumber(delay) ?? NaN, {
      what: `powerfail-delay ${shown(delay)}`,
      comment: 'powerfail-delay: check that the machine should shut down after this short time',
    });
  if (!isTimed) extended.set('enabled', false, 'powerfail-shutdown');
  if (acts) tellOfStabilization(triggers, 'PowerPanel');
}

/** With lowbatt-shutdown = no nothing here goes down at a low battery. */
const lowInstead = (value: (key: Known) => string): string =>
  `it shut down at a low battery, and here nothing does, as lowbatt-shutdown is no: triggers.low_battery_threshold = ${shown(value('lowbatt-threshold'))}, triggers.critical_runtime_threshold = ${shown(value('runtime-threshold'))} and trigger_on_low_battery_flag = true, with is_local = true and no trigger_on`;

/** The script that pwrstatd runs without a line for it, beside its file; empty where there is none. */
function usualScript(folder: string, kind: 'powerfail' | 'lowbatt'): string {
  const path = join(folder, `pwrstatd-${kind}.sh`);
  return readSource(path).ok ? path : '';
}

/** True where one of them shuts this machine down. */
function addCommands(
  file: DraftTable,
  {
    given,
    value,
    command,
  }: {
    readonly given: (key: string) => string | undefined;
    readonly value: (key: Known) => string;
    readonly command: (kind: 'powerfail' | 'lowbatt') => string;
  },
): boolean {
  const hooks = new HookRows(file);
  let isTrigger = false;
  const delay = wholeNumber(value('powerfail-delay')) ?? 0;
  // Without a shutdown LB is what remains of a low battery.
  const low = isOn(value('lowbatt-shutdown')) ? 'SHUTDOWN_TRIGGERED' : 'LOW_BATTERY_FLAG';
  for (const [kind, on] of [
    ['powerfail', 'ON_BATTERY'],
    ['lowbatt', low],
  ] as const) {
    const path = command(kind);
    if (path === '' || !isOn(given(`${kind}-active`) ?? 'yes')) continue;
    const seconds = wholeNumber(given(`${kind}-duration`) ?? '') ?? 0;
    const note =
      on === 'LOW_BATTERY_FLAG'
        ? `${kind}-cmd-path: at LB, not at lowbatt-threshold or runtime-threshold`
        : `${kind}-cmd-path: the shutdown does not wait for it, as pwrstatd does for ${kind}-duration`;
    const hook = {
      on: [on],
      ...(kind === 'powerfail' && delay > 0 ? { after: delay, cancelOn: ['POWER_RESTORED'] as const } : {}),
      ...(seconds > 0 ? { timeout: seconds } : {}),
    };
    const script = {
      name: `${kind}-cmd-path`,
      command: path,
      args: [],
      givenArgs: [],
      variables: new Map(),
      program: 'PowerPanel',
      ...(on === 'LOW_BATTERY_FLAG' ? { instead: lowInstead(value) } : {}),
    };
    if (seconds > 0 && isOn(value(`${kind}-shutdown`)))
      hooks.leavesOut({
        what: `${kind}-duration ${String(seconds)}`,
        why: `pwrstatd waits so long between ${kind}-cmd-path and the shutdown, which does not wait here: this machine goes down that much earlier`,
      });
    if (addJudgedHook({ file, hooks }, script, { hook, note })) isTrigger = true;
  }
  return isTrigger;
}
