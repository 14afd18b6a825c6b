// SHUTDOWNCMD: what of it an attempt at the power-off has no time for, or what is not known to power this machine off.
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { fallbackCommand } from '../../../../shared/domain/setup/setup.js';
import { insteadOfPowerOff } from '../../../../shared/domain/commands/final-effect.js';
import { JudgedScript } from './judged-script.js';
import type { Runner } from './judged-script.js';
import { isText } from './shell/forms.js';
import { judge } from './shell/judge.js';
import { conditional } from './shell/unsure.js';
import type { Command, ScriptVerdict } from './shell/verdict.js';
import { shellCommand } from './source.js';

/** Of an attempt, in seconds: specification/sequence.md#phases. */
const attemptSeconds = 30;
const attempt = `an attempt at the power-off has ${String(attemptSeconds)} s here, then it is ended and begins again`;
const afterIt =
  'where all of it takes longer, only fallback_command powers this machine off, after the third';
/** More are not named. */
const maxShown = 8;

export function tellOfShutdownCommand(file: DraftTable, command: string, runner: Runner): void {
  const words = shellCommand(command);
  // `validate` says so.
  if (insteadOfPowerOff(words) !== null) return;
  const shutdown = file.table('local_shutdown');
  const script = new JudgedScript(shutdown, 'SHUTDOWNCMD', command, { ...runner, shutdownCommand: [] });
  const nothing = { args: [], variables: new Map<string, string>() };
  const verdict = script.isFile
    ? script.verdict(nothing)
    : judge(command, { ...nothing, shell: 'sh', shutdownCommand: [] });
  const tell = (commands: readonly Command[], why: string): void => {
    const all = commands.map(({ line, text }) =>
      script.isFile && line > 0 ? `line ${String(line)}, ${text}` : text,
    );
    const shown = [...new Set(all)].slice(0, maxShown);
    const more = all.length > maxShown ? ' and more' : '';
    shutdown.leavesOut(`SHUTDOWNCMD ${shown.join('; ')}${more}`.trim(), why);
  };
  // The words of the line itself are here what they were there.
  if (script.isFile || verdict.kind !== 'unsure' || verdict.why !== conditional) tellOf(verdict, tell);
  // It ends in a power-off for certain, so another one does no more than it.
  const isSlow = verdict.kind === 'down' && (verdict.waits === 'script' || slowOnes(verdict).length > 0);
  if (isSlow && shutdown.get('command') !== undefined)
    shutdown.set(
      'fallback_command',
      fallbackCommand,
      'after the third attempt of SHUTDOWNCMD that takes too long',
    );
  script.tellOfHook('', verdict);
}

function tellOf(verdict: ScriptVerdict, tell: (commands: readonly Command[], why: string) => void): void {
  switch (verdict.kind) {
    case 'down': {
      const others = slowOnes(verdict);
      if (verdict.waits === 'script')
        tell([verdict.command], `it comes after ${String(verdict.seconds)} s; ${attempt}: ${afterIt}`);
      if (others.length > 0)
        tell(
          others,
          `upsmon waited for it; ${attempt}: ${afterIt}. Guests, containers, mounts and servers have phases of their own before the power-off`,
        );
      return;
    }
    case 'no':
      tell([], 'nothing in it is known to power this machine off; local_shutdown.command has to');
      return;
    case 'unsure':
      tell(verdict.commands, `${verdict.why}. It has to power this machine off, and ${attempt}`);
  }
}

const slowOnes = ({ others }: Extract<ScriptVerdict, { kind: 'down' }>): readonly Command[] =>
  others.filter(({ text }) => !isText.test(text) && !isShort.test(text));

/** They end at once. */
const isShort = /^(?:sudo )?(?:\/\S*\/)?(?:logger|wall|date|touch|rm|sync|cat|hostname|ls|mkdir)$/;
