// upssched.conf: a timer or command whose branch of CMDSCRIPT shuts the machine down is a trigger; every other one is a hook.
import { join } from 'node:path';
import type { Table } from '../../../../shared/domain/config-draft.js';
import type { EventType } from '../../../../shared/domain/events.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import type { Hooks } from './hook-rows.js';
import { eventOf, withoutEvent } from './hook-rows.js';
import { readSource, shellCommand, wholeNumber } from './source.js';
import type { UpsmonLine } from './upsmon-lines.js';
import { upsmonLines } from './upsmon-lines.js';

interface Place {
  readonly directory: string;
  /** The configured UPSes. */
  readonly names: readonly string[];
  readonly upses: ReadonlyMap<string, Table>;
  readonly hooks: Hooks;
  /** At which upsmon runs upssched. */
  readonly types: readonly string[];
}

interface AtLine {
  readonly where: string;
  readonly type: string;
  readonly ups: string;
  readonly verb: string;
  readonly words: readonly string[];
}

export function addUpssched(file: Table, { directory, names, upses, hooks, types }: Place): void {
  const path = join(directory, 'upssched.conf');
  const source = readSource(path);
  if (!source.ok) {
    if (!source.message.endsWith('does not exist'))
      hooks.leavesOut({ what: 'upssched.conf', why: source.message });
    return;
  }
  const lines = upsmonLines(source.text);
  const at = lines.flatMap(atLine);
  if (at.length === 0) return;
  const script = lines.findLast(({ key }) => key === 'CMDSCRIPT')?.words[0] ?? '';
  if (script === '') {
    hooks.leavesOut({ what: 'upssched.conf', why: 'it has no CMDSCRIPT, so its lines run nothing' });
    return;
  }
  const branches = branchesOf(script);
  const cancels = (timer: string): readonly EventType[] =>
    at.flatMap(({ verb, type, words }) => {
      const event = verb === 'CANCEL-TIMER' && words[0] === timer ? eventOf(type) : undefined;
      return event === undefined ? [] : [event];
    });
  if (branches === null)
    hooks.leavesOut({
      what: 'CMDSCRIPT',
      why: 'it cannot be read here, so every timer became a hook; if one shuts this machine down, set triggers.extended_time',
    });
  const timers: Timer[] = [];
  for (const { where, type, ups, verb, words } of at) {
    if (verb === 'CANCEL-TIMER') {
      if (words[1] !== undefined)
        hooks.leavesOut({ what: where, why: 'a command for a timer that has ended already' });
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
    const [name = '', time = '0'] = words;
    const seconds = isTimer ? wholeNumber(time) : 0;
    const event = eventOf(type);
    const ownUps = ups === '*' ? undefined : names.find((one) => one === ups);
    if (event === undefined || seconds === null || seconds < 0 || (ups !== '*' && ownUps === undefined)) {
      const why =
        event === undefined
          ? (withoutEvent[type] ?? 'there is no such event here')
          : 'no time, or no UPS of a MONITOR line';
      hooks.leavesOut({ what: where, why });
      continue;
    }
    if (branches?.(name) === true) {
      if (event === 'ON_BATTERY') timers.push({ ups: ownUps, seconds, where });
      else if (event !== 'LOW_BATTERY_FLAG' && event !== 'FSD_DETECTED')
        hooks.leavesOut({
          what: where,
          why: `its branch of CMDSCRIPT shuts down, and ${event} starts no shutdown here`,
        });
      continue;
    }
    hooks.add(
      {
        on: [event],
        ...(ownUps === undefined ? {} : { ups: [ownUps] }),
        after: seconds,
        cancelOn: cancels(name),
        command: [...shellCommand(script), name],
      },
      where,
    );
  }
  addTimers(file, upses, timers);
}

interface Timer {
  /** Undefined: every UPS. */
  readonly ups: string | undefined;
  readonly seconds: number;
  readonly where: string;
}

function atLine({
  number,
  key,
  words: [type = '', ups = '', verb = '', ...words],
}: UpsmonLine): readonly AtLine[] {
  if (key !== 'AT') return [];
  return [
    {
      where: `upssched.conf line ${String(number)}, AT ${type} ${ups} ${verb} ${words.join(' ')}`,
      type,
      ups,
      verb,
      words,
    },
  ];
}

/** The shortest of several timers of a UPS counts, as under upssched. */
function addTimers(file: Table, upses: ReadonlyMap<string, Table>, timers: readonly Timer[]): void {
  const { codec } = fileKeys.triggers.keys.extended_time.keys.threshold;
  const shortest = (ups: string | undefined): Timer | undefined =>
    timers.filter((timer) => timer.ups === ups).toSorted((a, b) => a.seconds - b.seconds)[0];
  const all = shortest(undefined);
  for (const [ups, owner] of [[undefined, file] as const, ...upses]) {
    const timer = shortest(ups);
    if (timer === undefined || (ups !== undefined && all !== undefined && all.seconds <= timer.seconds))
      continue;
    const extended = owner.table('triggers').table('extended_time');
    if (codec.is(timer.seconds)) extended.set('enabled', true).set('threshold', timer.seconds, timer.where);
    else extended.leavesOut(timer.where, `threshold takes ${codec.name}`);
  }
}

/** The first word of a command, after `then`, `sudo` and the like, with or without its folder. */
const shutsDown =
  /(?:^|[;&|()`]|\b(?:then|else|do|sudo|exec|nohup)\b)[ \t]*(?:\/\S*\/)?(?:upsmon\b[^;\n]*-c\s*fsd|shutdown|poweroff|halt|init\s+0|systemctl\s+(?:poweroff|halt))\b/m;
/** Text of messages: a word in it is no command. */
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
const runsShutdown = (text: string): boolean => shutsDown.test(text.replace(quoted, '""'));

/** Whether the branch of the only `case` in the script shuts down; null where it cannot be read. */
function branchesOf(command: string): ((name: string) => boolean) | null {
  const [path = ''] = shellCommand(command);
  const source = path.startsWith('/') ? readSource(path) : null;
  if (source?.ok !== true) return null;
  const text = source.text.replace(/^\s*#.*$/gm, '');
  const cases = [...text.matchAll(/^[ \t]*case\b.*?\bin\b/gm)];
  const [only] = cases;
  // Without a `case`, or with several, it is not known what a name runs.
  if (only === undefined || cases.length > 1) return runsShutdown(text) ? null : () => false;
  return (name) => {
    const branches = text
      .slice(only.index + only[0].length)
      .split(';;')
      .filter((part) => patternsOf(part).some((one) => one === name || one === '*'));
    // The first that fits runs.
    const body = branches[0] ?? '';
    return runsShutdown(body.slice(body.indexOf(')') + 1));
  };
}

/** The patterns before the first bracket of a branch. */
function patternsOf(part: string): readonly string[] {
  const head = part.slice(0, Math.max(0, part.indexOf(')')));
  const last = head.split(/\s+in\s+|\n/).at(-1) ?? '';
  return last.split('|').map((one) => one.trim().replace(/^\(|["']/g, ''));
}
