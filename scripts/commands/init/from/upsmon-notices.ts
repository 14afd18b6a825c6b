// NOTIFYCMD and NOTIFYFLAG of upsmon.conf: a program that is no upssched becomes a hook on the types with EXEC.
import { basename } from 'node:path';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import type { EventType } from '../../../../shared/domain/status/events.js';
import { eventOf, HookRows, leaveOutType, undecided, withoutTrigger } from './hook-rows.js';
import { JudgedScript } from './judged-script.js';
import { unwrapWords } from './shell/programs.js';
import type { ScriptVerdict } from './shell/verdict.js';
import { shellCommand } from './source.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { lastOf, notified, upsmonAsRunner } from './upsmon-lines.js';
import type { Timer } from './upssched-timers.js';
import { addTimers, goesOn, keepOwnPowerOff } from './upssched-timers.js';

export const runsUpssched = (lines: readonly UpsmonLine[]): boolean =>
  basename(unwrapWords(shellCommand(lastOf(lines, 'NOTIFYCMD') ?? ''))?.words[0] ?? '') === 'upssched';

/** The flags of each type; the last line of a type counts. */
export function flagsOf(lines: readonly UpsmonLine[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    lines.flatMap(({ key, words: [type = '', flags = ''] }) =>
      key === 'NOTIFYFLAG' ? [[type.toUpperCase(), new Set(flags.split('+'))] as const] : [],
    ),
  );
}

/** The types at which upsmon runs NOTIFYCMD. */
export const executedTypes = (lines: readonly UpsmonLine[]): readonly string[] =>
  [...flagsOf(lines)].filter(([, words]) => words.has('EXEC') && !words.has('IGNORE')).map(([type]) => type);

interface Notices {
  readonly lines: readonly UpsmonLine[];
  /** The configured UPSes. */
  readonly names: readonly string[];
  readonly upses: ReadonlyMap<string, DraftTable>;
}

export function addNotices(file: DraftTable, { lines, names, upses }: Notices): HookRows {
  const hooks = new HookRows(file);
  const command = lastOf(lines, 'NOTIFYCMD') ?? '';
  const flags = [...flagsOf(lines)];
  const silent = flags.filter(([, words]) => words.has('IGNORE')).map(([type]) => type);
  if (silent.length > 0)
    hooks.leavesOut({
      what: `NOTIFYFLAG ${silent.join(', ')} IGNORE`,
      why: 'nothing is sent yet; notifications.suppress',
    });
  if (command === '' || runsUpssched(lines)) return hooks;
  addProgram(file, command, { lines, names, upses, hooks });
  return hooks;
}

const startsUpssched = (verdict: ScriptVerdict): boolean => {
  const commands =
    verdict.kind === 'unsure' ? verdict.commands : verdict.kind === 'down' ? verdict.others : [];
  return commands.some(({ text }) => /(?:^|[/ ])upssched$/.test(text));
};

/** NOTIFYCMD gets the message as its argument, and the type and the UPS in its environment. */
function addProgram(
  file: DraftTable,
  command: string,
  { lines, names, upses, hooks }: Notices & { readonly hooks: HookRows },
): void {
  const judged = new JudgedScript(file, 'NOTIFYCMD', command, upsmonAsRunner(lines));
  const [only = null] = names;
  const [on, doubted]: [EventType[], EventType[]] = [[], []];
  const timers: Timer[] = [];
  const downs: ScriptVerdict[] = [];
  let runsTimers = false;
  for (const type of executedTypes(lines)) {
    const event = eventOf(type);
    const what = `NOTIFYFLAG ${type} EXEC`;
    const call = { args: [null], variables: notified(type, names.length === 1 ? only : null) };
    if (event === undefined) {
      leaveOutType(hooks, type, { what, called: type, judged, call });
      continue;
    }
    const verdict = judged.verdict(call);
    runsTimers ||= startsUpssched(verdict);
    if (verdict.kind === 'down') {
      judged.tellOfShutdown(type, verdict);
      if (event !== 'ON_BATTERY') hooks.leavesOut({ what, why: withoutTrigger(event) });
      else {
        if (verdict.waits !== 'no') hooks.leavesOut({ what, why: goesOn });
        timers.push({ ups: undefined, seconds: verdict.seconds, where: `NOTIFYCMD at ${type}` });
        downs.push(verdict);
      }
    } else if (verdict.kind === 'no' && !verdict.onlyCancels) {
      judged.tellOfHook(type, verdict);
      on.push(event);
    } else if (verdict.kind === 'unsure') {
      const decide =
        event === 'ON_BATTERY'
          ? 'triggers.extended_time.enabled = true, with its threshold'
          : withoutTrigger(event);
      judged.tellOfDoubt(type, verdict, decide);
      doubted.push(event);
    }
  }
  if (runsTimers)
    hooks.leavesOut({
      what: 'upssched.conf',
      why: 'NOTIFYCMD is a script that starts upssched: its lines are not read, and a timer of it that shuts down is no trigger here. With NOTIFYCMD set to upssched itself init reads them',
    });
  const note =
    'NOTIFYCMD: it gets NOTIFYTYPE and UPSNAME as under upsmon, and the text in DETAIL, not as an argument';
  if (on.length > 0) hooks.add({ on, command: shellCommand(command) }, note);
  if (doubted.length > 0) hooks.add({ on: doubted, command: shellCommand(command) }, `${note}. ${undecided}`);
  addTimers(file, upses, timers);
  keepOwnPowerOff(file, lines, downs);
}
