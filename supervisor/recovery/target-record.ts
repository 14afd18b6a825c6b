// What the record says of one machine, from one moment to the next (specification/recovery.md#record). Pure.
import type { Before, RecordedTarget } from '../../shared/domain/recovery/record.js';
import { kindOf } from '../../shared/domain/actions/table.js';
import type { GroupRecord } from '../sequence/journal/fold.js';
import { stepsOf } from '../sequence/journal/fold.js';
import type { StepOutcome } from '../sequence/outcome.js';
import type { GuestFacts } from './recorded-guests.js';
import { guestsAfter, guestsAfterBoot } from './recorded-guests.js';

/** The last look at a machine. `answers` is null where it proved nothing; `before` does not change in an outage. */
export interface Look {
  readonly before: Before;
  readonly answers: boolean | null;
  readonly unixSeconds: number | null;
}

export interface TargetFacts {
  readonly look: Look;
  /** Of this outage, by the journal of this boot. */
  readonly command: RecordedTarget['command'];
  /** Monotonic, since the command; null: the journal of this boot has none. */
  readonly commandedForMs: number | null;
  /** A step that waited for it found it off. */
  readonly isFoundOff: boolean;
  /** Null: no sequence has been open since the last moment. */
  readonly isDryRun: boolean | null;
  /** The date when a person has shut it down since the last moment; null: nobody did. */
  readonly byHandUnixSeconds: number | null;
  /** The date when a person has begun to shut it down; absent or null: nobody did. */
  readonly begunUnixSeconds?: number | null;
  /** Of its group. */
  readonly inOutage: boolean;
  /** False: its off check is `none`. */
  readonly isLookedAt: boolean;
  /** So long a machine may answer after its command. */
  readonly haltTimeoutMs: number;
  readonly guests: GuestFacts;
  /** Now, for the date of a return, and the time since it was shut down by hand. */
  readonly nowUnixSeconds: number;
}

export const newTarget = (server: string | null): RecordedTarget => ({
  server,
  before: server === null ? 'up' : 'unknown',
  lookedUnixSeconds: null,
  command: 'none',
  byHandUnixSeconds: null,
  isOff: false,
  isDryRun: false,
  guests: [],
  guestsLeftOut: 0,
  provenUnixSeconds: null,
});

/** The machine answers, and has done so for longer than it may after its command, or again. Of one that is never looked at the command is forgotten then. */
function isUpAgain(known: RecordedTarget, facts: TargetFacts): boolean {
  const { look, command, commandedForMs, inOutage, haltTimeoutMs } = facts;
  const isSilent = facts.isLookedAt && look.answers !== true;
  if (inOutage || isSilent) return false;
  if (known.byHandUnixSeconds !== null) return isUpSince(known.byHandUnixSeconds, known, facts);
  if (known.command === 'none') return false;
  return known.isOff || command === 'none' || (commandedForMs ?? Infinity) > haltTimeoutMs;
}

/** By dates, which a restart of the daemon does not change. Where the clock was set back since, an answer counts. */
function isUpSince(byHandUnixSeconds: number, { isOff }: RecordedTarget, facts: TargetFacts): boolean {
  const { look, haltTimeoutMs, nowUnixSeconds } = facts;
  if (look.answers !== true) return false;
  const forSeconds = nowUnixSeconds - byHandUnixSeconds;
  if (forSeconds < 0) return true;
  return isLaterThan(byHandUnixSeconds, look) && (isOff || forSeconds * 1000 > haltTimeoutMs);
}

const isLaterThan = (date: number, { unixSeconds }: Look): boolean =>
  unixSeconds !== null && unixSeconds > date;

/** Null: nobody has shut it down since it was up. A command of a sequence that it answered later is an answer too. */
function byHandAfter(known: RecordedTarget, facts: TargetFacts): number | null {
  const { command, commandedForMs, inOutage, nowUnixSeconds } = facts;
  const date = facts.byHandUnixSeconds ?? known.byHandUnixSeconds;
  if (date === null || !inOutage || command !== 'given' || commandedForMs === null) return date;
  return commandedForMs < (nowUnixSeconds - date) * 1000 ? null : date;
}

/** What the record has of it until now. The person who shuts it down finds it up, and wants what ran on it to stay off. */
function knownOf(before: RecordedTarget, facts: TargetFacts): RecordedTarget {
  const { byHandUnixSeconds, begunUnixSeconds } = facts;
  const untilUnixSeconds = byHandUnixSeconds === null ? (begunUnixSeconds ?? null) : Infinity;
  if (untilUnixSeconds === null) return before;
  const guests = before.guests.map((guest) =>
    guest.foundUnixSeconds <= untilUnixSeconds ? ({ ...guest, state: 'over', reason: '' } as const) : guest,
  );
  if (byHandUnixSeconds === null) return { ...before, guests };
  const { guestsLeftOut, provenUnixSeconds } = before;
  return { ...newTarget(before.server), before: before.before, guests, guestsLeftOut, provenUnixSeconds };
}

/** What was up before an outage is kept until the machine is up again: a second outage does not change it. */
export function targetAfter(recorded: RecordedTarget, facts: TargetFacts): RecordedTarget {
  const { look, inOutage } = facts;
  const before = knownOf(recorded, facts);
  const isBack = isUpAgain(before, facts);
  const known = isBack ? newTarget(before.server) : before;
  // A machine that is up again may still lack what ran on it.
  const guests = guestsAfter(before.guests, facts.guests);
  // The journal still has the command of an outage that is over.
  const isOpen = inOutage || known.command !== 'none';
  const command = isOpen ? stronger(known.command, facts.command) : 'none';
  const isDown = command !== 'none';
  const byHandUnixSeconds = byHandAfter(known, facts);
  const isOver = known.byHandUnixSeconds !== null && byHandUnixSeconds === null;
  const isSilent = look.answers === false;
  const isFoundOff =
    byHandUnixSeconds === null
      ? isDown && (facts.isFoundOff || isSilent)
      : isSilent && isLaterThan(byHandUnixSeconds, look);
  return {
    server: known.server,
    before: isDown ? known.before : look.before,
    lookedUnixSeconds: isDown ? known.lookedUnixSeconds : look.unixSeconds,
    command,
    byHandUnixSeconds,
    isOff: ((isDown || byHandUnixSeconds !== null) && known.isOff && !isOver) || isFoundOff,
    isDryRun: facts.isDryRun ?? (known.isDryRun && inOutage),
    guests,
    guestsLeftOut: before.guestsLeftOut,
    provenUnixSeconds:
      isBack && look.answers === true && before.isOff && before.byHandUnixSeconds === null
        ? facts.nowUnixSeconds
        : before.provenUnixSeconds,
  };
}

const strength = { none: 0, maybe: 1, given: 2 } as const;
const stronger = (a: RecordedTarget['command'], b: RecordedTarget['command']): RecordedTarget['command'] =>
  strength[a] >= strength[b] ? a : b;

/** By the steps of a sequence: `skipped`, or not sent as far as is known, is no command. */
export function commandOf(
  sequence: GroupRecord | undefined,
  server: string,
): Pick<TargetFacts, 'command' | 'isFoundOff'> & { readonly atMs: number | null } {
  const none = { command: 'none', isFoundOff: false, atMs: null } as const;
  if (sequence === undefined || sequence.plan.dryRun) return none;
  const steps = stepsOf(sequence.plan);
  const own = steps.find(({ action }) => kindOf(action).serverOf(action) === server);
  const known = own === undefined ? undefined : sequence.steps.get(own.id);
  if (known === undefined) return none;
  const wait = steps.find(({ action }) => action.kind === 'awaitOff' && action.server === server);
  const waited = wait === undefined ? undefined : sequence.steps.get(wait.id)?.ended?.outcome;
  const { beganMs, ended } = known;
  return {
    command: ended === null ? 'maybe' : commandBy(ended.outcome),
    isFoundOff: waited?.kind === 'done',
    atMs: ended?.atMs ?? beganMs,
  };
}

export function commandBy(outcome: StepOutcome): RecordedTarget['command'] {
  if (outcome.kind === 'done') return 'given';
  if (outcome.kind === 'skipped') return 'none';
  return outcome.neverSent === true && outcome.maybeSent !== true ? 'none' : 'maybe';
}

/** After a boot: of a machine that was up on battery no later entry says whether it got its command. This host itself was off. */
export function afterBoot(target: RecordedTarget, inOutage: boolean): RecordedTarget {
  const kept = { ...target, guests: guestsAfterBoot(target.guests) };
  if (target.server === null) return { ...kept, isOff: target.command !== 'none' };
  const isLeft = target.command === 'none' && target.byHandUnixSeconds === null && target.before !== 'off';
  return inOutage && isLeft && !target.isDryRun ? { ...kept, command: 'maybe' } : kept;
}
