// A script that apcupsd or PowerPanel runs at an event: a hook where it does not shut this machine down, at a transfer to battery a
// trigger where it does, and named where that is not known.
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import type { HookRows, NewHook } from './hook-rows.js';
import { undecided, withoutTrigger } from './hook-rows.js';
import { JudgedScript } from './judged-script.js';
import type { Words } from './shell/programs.js';
import { shellCommand } from './source.js';
import { addTimers, goesOn } from './upssched-timers.js';

interface Script {
  /** Its key or name. */
  readonly name: string;
  readonly command: string;
  /** After those of the command. */
  readonly args: readonly string[];
  /** The same as the other program gives them; null: not known. */
  readonly givenArgs: Words;
  /** What the program exports. */
  readonly variables: ReadonlyMap<string, string>;
  readonly program: string;
  /** What stands here for a shutdown by it at another event than a transfer to battery. */
  readonly instead?: string;
}

/** True where it became a trigger. `hook`: without its command; its event is the first of `on`. */
export function addJudgedHook(
  { file, hooks }: { readonly file: DraftTable; readonly hooks: HookRows },
  { name, command, args, givenArgs, variables, program, instead }: Script,
  { hook, note }: { readonly hook: Omit<NewHook, 'command'>; readonly note: string },
): boolean {
  const whole: NewHook = { ...hook, command: [...shellCommand(command), ...args] };
  const [event = 'SHUTDOWN_TRIGGERED'] = hook.on;
  const judged = new JudgedScript(file, name, command, { name: program, user: 'root', shutdownCommand: [] });
  const verdict = judged.verdict({ args: givenArgs, variables });
  if (event === 'SHUTDOWN_TRIGGERED') {
    // The machine goes down all the same.
    judged.tellOfLost(verdict);
    hooks.add(whole, note);
    return false;
  }
  const after = hook.after ?? 0;
  const otherwise = instead ?? withoutTrigger(event);
  if (verdict.kind === 'down') {
    judged.tellOfShutdown('', verdict);
    if (event !== 'ON_BATTERY') {
      hooks.leavesOut({ what: name, why: otherwise });
      return false;
    }
    if (verdict.waits !== 'no') hooks.leavesOut({ what: name, why: goesOn });
    const seconds = after + verdict.seconds;
    const earlier = file.table('triggers').table('extended_time').get('threshold');
    if (typeof earlier !== 'number' || earlier > seconds)
      addTimers(file, new Map(), [{ ups: undefined, seconds, where: name }]);
    return true;
  }
  const decide =
    event === 'ON_BATTERY'
      ? `triggers.extended_time.enabled = true, threshold = ${String(after)}`
      : otherwise;
  if (verdict.kind === 'unsure') judged.tellOfDoubt('', verdict, decide);
  else judged.tellOfHook('', verdict);
  hooks.add(whole, verdict.kind === 'unsure' ? `${note}; ${undecided}` : note);
  return false;
}
