// Whether the power of a machine's groups lets a guest be started on it.
import { groupsOnBattery, isSeen, powerIsBack } from '../../policy/decision/power.js';
import type { PolicyState } from '../../policy/state/state.js';
import type { GroupRecord } from '../../sequence/journal/fold.js';
import type { PowerOffRecord, RestartRecord } from '../../sequence/journal/power-off-record.js';

/** Why no guest of a machine is started now. */
export interface Hold {
  readonly why: string;
  /**
   * `outage`: a new one: after it what failed is tried again. `unknown`: whether there is one, which is reported after a while. `lasting`:
   * nothing will end it: that is reported too, and after a day the guests are none of this daemon any more. `wait`: the machine comes up, or
   * this daemon ends.
   */
  readonly kind: 'outage' | 'unknown' | 'lasting' | 'wait';
}

export interface PowerFacts {
  readonly state: PolicyState;
  readonly journal: {
    readonly powerOff: PowerOffRecord;
    readonly restart: Pick<RestartRecord, 'atMs'> | null;
    of(group: string): GroupRecord | undefined;
  };
  readonly nowMs: number;
}

/** The power of a UPS that is read every few seconds is known. */
const freshMs = 60_000;
/** A power-off whose command succeeded, with the power back: a host that runs so much longer stays up. */
const powerOffMs = 900_000;
/** After its choice a restart has begun, or was given up (supervisor/sequence/phases/restart.ts). */
const restartMs = 180_000;

const outage = (why: string): Hold => ({ why, kind: 'outage' });

export class PowerHold {
  /** With a power-off of this host under way and the power back, monotonic ms; null: without one of them. */
  #stillUpSinceMs: number | null = null;

  /** Null: nothing speaks against a start. */
  of(groups: readonly string[], facts: PowerFacts): Hold | null {
    const { powerOff, restart } = facts.journal;
    if (restart !== null && facts.nowMs - restart.atMs < restartMs)
      return outage('this host is being restarted');
    const byPower = heldByPower(groups, facts);
    const isGoingDown = powerOff.askedBy.size > 0 && !powerOff.givenUp;
    if (!isGoingDown || byPower !== null) {
      this.#stillUpSinceMs = null;
      return byPower;
    }
    // A service manager that powers off ends this daemon first.
    this.#stillUpSinceMs ??= facts.nowMs;
    const isFailed = facts.nowMs - this.#stillUpSinceMs >= powerOffMs;
    return isFailed ? null : outage('this host is being powered off');
  }
}

function heldByPower(groups: readonly string[], { state, journal, nowMs }: PowerFacts): Hold | null {
  const onBattery = groupsOnBattery(state);
  for (const group of groups) {
    if (journal.of(group)?.over === null) return outage(`the shutdown of ${group} runs`);
    if (onBattery.has(group)) return outage(`${group} is on battery`);
    if (!powerIsBack(state, group) || !isSeen(state, group, nowMs - freshMs))
      return { why: `it is not known whether ${group} is on line power`, kind: 'unknown' };
  }
  return null;
}
