// Which targets were up before an outage (specification/recovery.md#looks). Pure: rounds of looks in, states out.
// When in doubt a target is not off: one that is off is never woken.
import type { Instant } from '../../shared/domain/base/instant.js';
import type { Look, LookRound } from '../../shared/protocol/remote.js';

/** On line power a look comes every 60 s. After two that are missing a target may have booted and gone off again. */
export const maxGapMs = 180_000;

/** The answer of the looks, and when the look that says so began; null before the first. */
export interface Answer {
  readonly before: 'up' | 'off' | 'unknown';
  readonly at: Instant | null;
}

export interface Outage {
  /** `beginning`: no look of it has found the target to answer or to be silent yet. */
  readonly stage: 'beginning' | 'under way' | 'over';
  /** At its beginning: frozen. */
  readonly answer: Answer;
  /** It was up at the beginning, or has answered since. */
  readonly hasAnswered: boolean;
  /** The look that found it silent after that; null while it answers. */
  readonly wentOffAt: Instant | null;
}

export interface TargetLooks {
  readonly answer: Answer;
  /** Of looks that were all silent, each with a witness: the end of the first and of the last, monotonic ms. */
  readonly silence: { readonly fromMs: number; readonly lastMs: number } | null;
  /** The outage that is under way, or the last one; null before the first. */
  readonly outage: Outage | null;
}

export const notLookedAt: TargetLooks = {
  answer: { before: 'unknown', at: null },
  silence: null,
  outage: null,
};

export interface Round extends LookRound {
  readonly began: Instant;
  /** Monotonic ms. */
  readonly endedMs: number;
}

export interface AskedTarget {
  readonly server: string;
  /** From power to an answer, at most. */
  readonly bootTimeoutMs: number;
  readonly state: TargetLooks;
}

/** The states after the round, in the order of the targets that it asked. A target without a look in it is a fault. */
export function judgeRound(round: Round, targets: readonly AskedTarget[]): readonly TargetLooks[] {
  const asked = new Set(targets.map(({ server }) => server));
  const looks = new Map(round.looks.flatMap((look) => (asked.has(look.server) ? [[look.server, look]] : [])));
  const witnesses = witnessesOf(round, looks);
  return targets.map(({ server, bootTimeoutMs, state }) => {
    const look = looks.get(server);
    const end = look === undefined || !counts(look, witnesses) ? 'fault' : look.end;
    const judged = judgeLook(state, end, round, bootTimeoutMs);
    return { ...judged, outage: outageAfter(state.outage, end, round.began) };
  });
}

/** The interfaces over which a gateway or a target has answered. */
function witnessesOf({ gateways }: LookRound, looks: ReadonlyMap<string, Look>): ReadonlySet<string> {
  const answering = gateways.flatMap(({ link, answered }) => (answered ? [link] : []));
  const targets = [...looks.values()].flatMap(({ end, link }) =>
    end === 'answer' && link !== null ? [link] : [],
  );
  return new Set([...answering, ...targets]);
}

/** Silence without a witness over its interface may be the network. */
const counts = ({ end, link }: Look, witnesses: ReadonlySet<string>): boolean =>
  end !== 'silence' || (link !== null && witnesses.has(link));

function judgeLook(
  { silence }: TargetLooks,
  end: Look['end'],
  { began, endedMs }: Round,
  bootTimeoutMs: number,
): Pick<TargetLooks, 'answer' | 'silence'> {
  const answer = (before: Answer['before']): Answer => ({ before, at: began });
  if (end !== 'silence') return { answer: answer(end === 'answer' ? 'up' : 'unknown'), silence: null };
  const isOpen = silence !== null && began.monotonicMs - silence.lastMs <= maxGapMs;
  const fromMs = isOpen ? silence.fromMs : endedMs;
  const isOff = began.monotonicMs - fromMs > bootTimeoutMs;
  return { answer: answer(isOff ? 'off' : 'unknown'), silence: { fromMs, lastMs: endedMs } };
}

function outageAfter(outage: Outage | null, end: Look['end'], at: Instant): Outage | null {
  if (outage === null || outage.stage === 'over' || end === 'fault') return outage;
  const isFirst = outage.stage === 'beginning';
  if (end === 'answer') {
    // The look at ON_BATTERY belongs to the beginning: an answer to it is surer than the look before.
    const answer: Answer = isFirst ? { before: 'up', at } : outage.answer;
    return { stage: 'under way', answer, hasAnswered: true, wentOffAt: null };
  }
  const wentOffAt = outage.wentOffAt ?? (outage.hasAnswered ? at : null);
  return { ...outage, stage: 'under way', wentOffAt };
}

/** `kept`: of a target that is still to be brought back, what it was before the outage that shut it down; else null. */
export function beginOutage(state: TargetLooks, kept: Answer | null): TargetLooks {
  const { answer, outage } = state;
  if (kept !== null) {
    const wentOffAt = outage?.wentOffAt ?? null;
    return { ...state, outage: { stage: 'under way', answer: kept, hasAnswered: false, wentOffAt } };
  }
  const hasAnswered = answer.before === 'up';
  return { ...state, outage: { stage: 'beginning', answer, hasAnswered, wentOffAt: null } };
}

/** The outage is over: what was before it stays, until the next one begins. */
export function endOutage(state: TargetLooks): TargetLooks {
  return state.outage === null ? state : { ...state, outage: { ...state.outage, stage: 'over' } };
}

export const isInOutage = ({ outage }: TargetLooks): boolean => outage !== null && outage.stage !== 'over';
