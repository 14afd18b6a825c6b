// upssched.conf: a timer or command whose branch of CMDSCRIPT shuts the machine down is a trigger; every other one is a hook.
import { join } from 'node:path';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import type { EventType } from '../../../../shared/domain/status/events.js';
import type { HookRows } from './hook-rows.js';
import { eventOf, leaveOutType, undecided, withoutTrigger } from './hook-rows.js';
import { JudgedScript } from './judged-script.js';
import type { ScriptCall } from './judged-script.js';
import type { ScriptVerdict } from './shell/verdict.js';
import { readSource, shellCommand, wholeNumber } from './source.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { notified, upsmonAsRunner, upsmonLines } from './upsmon-lines.js';
import { executedTypes } from './upsmon-notices.js';
import { addTimers, goesOn, keepOwnPowerOff } from './upssched-timers.js';
import type { Timer } from './upssched-timers.js';

interface Place {
  readonly directory: string;
  /** The configured UPSes. */
  readonly names: readonly string[];
  readonly upses: ReadonlyMap<string, DraftTable>;
  readonly hooks: HookRows;
  /** The lines of upsmon.conf. */
  readonly upsmon: readonly UpsmonLine[];
}

interface AtLine {
  readonly where: string;
  readonly type: string;
  readonly ups: string;
  readonly verb: string;
  readonly words: readonly string[];
}

export function addUpssched(file: DraftTable, { directory, names, upses, hooks, upsmon }: Place): void {
  const path = join(directory, 'upssched.conf');
  const source = readSource(path);
  if (!source.ok) {
    if (!source.message.endsWith('does not exist'))
      hooks.leavesOut({ what: 'upssched.conf', why: source.message });
    return;
  }
  const lines = upsmonLines(source.text);
  const at = lines.flatMap(atLine);
  tellOfUnused(hooks, lines);
  if (at.length === 0) return;
  const script = lines.findLast(({ key }) => key === 'CMDSCRIPT')?.words[0] ?? '';
  if (script === '') {
    hooks.leavesOut({ what: 'upssched.conf', why: 'it has no CMDSCRIPT, so its lines run nothing' });
    return;
  }
  const judged = new JudgedScript(file, 'CMDSCRIPT', script, upsmonAsRunner(upsmon));
  const types = executedTypes(upsmon);
  const callOf = callsOf(at, names);
  const concerns = (line: AtLine, ups: string): boolean =>
    line.ups === '*' || line.ups === ups || (names.length === 1 && line.ups === names[0]);
  const cancels = (timer: string, ups: string): readonly EventType[] =>
    at.flatMap((line) => {
      const isCancel = line.verb === 'CANCEL-TIMER' && line.words[0] === timer && concerns(line, ups);
      const event = isCancel && types.includes(line.type) ? eventOf(line.type) : undefined;
      return event === undefined ? [] : [event];
    });
  const takesBack = at.some((line) => {
    if (line.type !== 'ONLINE' || line.verb !== 'EXECUTE' || !types.includes('ONLINE')) return false;
    const verdict = judged.verdict(callOf(line));
    return verdict.kind === 'no' && verdict.cancels;
  });
  const timers: Timer[] = [];
  const downs: ScriptVerdict[] = [];
  for (const line of at) {
    const { where, type, ups, verb, words } = line;
    if (verb === 'CANCEL-TIMER') {
      // upssched runs it at each such event at which the timer does not run, also where it never began.
      if (words[1] !== undefined && types.includes(type))
        leaveOutType(hooks, type, {
          what: where,
          called: words[1],
          judged,
          call: callOf({ ...line, words: words.slice(1) }),
          why: 'a command for a timer that does not run',
        });
      continue;
    }
    if (!types.includes(type)) {
      hooks.leavesOut({ what: where, why: `NOTIFYFLAG ${type} has no EXEC, so upsmon never ran it` });
      continue;
    }
    const isTimer = verb === 'START-TIMER';
    if (!isTimer && verb !== 'EXECUTE') {
      hooks.leavesOut({
        what: where,
        why: 'a hook that names its UPSes in `ups` counts for each of them alone',
      });
      continue;
    }
    const [name = '', time = ''] = words;
    // upssched reads the digits that it begins with.
    const seconds = isTimer ? wholeNumber(/^[+]?(-?\d+)/.exec(time)?.[1] ?? time) : 0;
    const event = eventOf(type);
    const ownUps = ups === '*' ? undefined : names.find((one) => one === ups);
    if (seconds === null || seconds < 0 || (ups !== '*' && ownUps === undefined)) {
      hooks.leavesOut({
        what: where,
        why: 'no time, or not the name of a UPS as a MONITOR line has it: upssched compares the whole name',
      });
      continue;
    }
    if (event === undefined) {
      leaveOutType(hooks, type, { what: where, called: name, judged, call: callOf(line) });
      continue;
    }
    const verdict = judged.verdict(callOf(line));
    if (verdict.kind === 'down') {
      judged.tellOfShutdown(name, verdict);
      if (event !== 'ON_BATTERY') {
        hooks.leavesOut({ what: where, why: withoutTrigger(event) });
        continue;
      }
      const isCancelled =
        (!isTimer || seconds === 0 || cancels(name, ups).includes('POWER_RESTORED')) &&
        (verdict.waits === 'no' || (verdict.waits === 'shutdown' && takesBack));
      if (!isCancelled) hooks.leavesOut({ what: where, why: goesOn });
      timers.push({ ups: ownUps, seconds: seconds + verdict.seconds, where });
      downs.push(verdict);
      continue;
    }
    if (verdict.kind === 'no' && verdict.onlyCancels) {
      hooks.leavesOut({ what: where, why: 'it takes a shutdown back: the return of power does that here' });
      continue;
    }
    const doubt =
      event === 'ON_BATTERY'
        ? `triggers.extended_time.enabled = true, threshold = ${String(seconds)}`
        : withoutTrigger(event);
    if (verdict.kind === 'unsure') judged.tellOfDoubt(name, verdict, doubt);
    else judged.tellOfHook(name, verdict);
    hooks.add(
      {
        on: [event],
        ...(ownUps === undefined ? {} : { ups: [ownUps] }),
        after: seconds,
        cancelOn: cancels(name, ups),
        command: [...shellCommand(script), ...(argumentsIn(name) ?? [name])],
      },
      verdict.kind === 'unsure' ? `${where}; ${undecided}` : where,
    );
  }
  addTimers(file, upses, timers);
  keepOwnPowerOff(file, upsmon, downs);
}

/** upssched gives its line to a shell: null where that changes it. */
const argumentsIn = (name: string): readonly string[] | null =>
  /^[\w.,:@%+=/ -]+$/.test(name) ? name.split(' ').filter((word) => word !== '') : null;

/** Lines that upssched refuses, and what it ends without. */
function tellOfUnused(hooks: HookRows, lines: readonly UpsmonLine[]): void {
  for (const { number, key, words } of lines)
    if (key === 'AT' && words.length < 4)
      hooks.leavesOut({
        what: `upssched.conf line ${String(number)}, AT ${words.join(' ')}`,
        why: 'it has no name of a timer or command, so upssched ran nothing',
      });
  const first = lines.findIndex(({ key }) => key === 'AT');
  const missing = ['CMDSCRIPT', 'PIPEFN', 'LOCKFN'].filter(
    (name) => !lines.slice(0, first).some(({ key, words }) => key === name && words.length > 0),
  );
  if (missing.length > 0)
    hooks.leavesOut({
      what: `upssched.conf, ${missing.join(' and ')}`,
      why: 'no line before the first AT sets it: upssched ends there and runs none of its lines. They are carried as if it were set',
    });
}

/** What upssched gives to the script. The process of the timers keeps the variables of the line that started it. */
function callsOf(at: readonly AtLine[], names: readonly string[]): (line: AtLine) => ScriptCall {
  const timerTypes = new Set(at.flatMap(({ verb, type }) => (verb === 'START-TIMER' ? [type] : [])));
  return ({ verb, type, ups, words: [name = ''] }) => {
    const isTimer = verb === 'START-TIMER';
    const [only = null] = names;
    const known = names.length === 1 ? only : isTimer || ups === '*' ? null : ups;
    return {
      args: argumentsIn(name) ?? [null],
      variables: notified(isTimer && timerTypes.size > 1 ? null : type, known),
    };
  };
}

function atLine({
  number,
  key,
  words: [type = '', ups = '', verb = '', ...words],
}: UpsmonLine): readonly AtLine[] {
  if (key !== 'AT' || words.length === 0) return [];
  return [
    {
      where: `upssched.conf line ${String(number)}, AT ${type} ${ups} ${verb} ${words.join(' ')}`,
      // upssched compares without case.
      type: type.toUpperCase(),
      ups,
      verb,
      words,
    },
  ];
}
