import { expect } from 'chai';
import { afterLostPoll } from '../../../supervisor/engine/lost-reading.js';
import { ReserveWatch } from '../../../supervisor/engine/reserve-watch.js';
import { batteryTimeMs } from '../../../supervisor/policy/power/battery-time.js';
import type { Member } from '../../../supervisor/policy/state/group-state.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { onBatteryMs } from '../../../supervisor/policy/power/power-source.js';
import type { UpsState } from '../../../supervisor/policy/state/ups-state.js';
import { doubtOf } from '../../../supervisor/policy/power/value-doubt.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';

export const full = { chargePercent: 100, runtimeSeconds: 3_000 };

/** A policy that is given every poll, and one whose step throws at the last of them, which the reserve makes up for. */
export class Twins {
  readonly healthy: Stepper;
  readonly struck: Stepper;
  /** For the reserve, the outage of every group is over. */
  isOver = false;
  readonly #watch = new ReserveWatch();

  constructor(settings = 'ups a grace-duration=10s low=50') {
    const all = settingsOf(settings);
    this.#watch.configure(all);
    [this.healthy, this.struck] = [new Stepper(all), new Stepper(all)];
  }

  /** `isLost`: for the struck policy, or for its groups alone. */
  polls(outcome: PollOutcome, isLost: boolean | 'by its groups', count = 1): this {
    for (let one = 0; one < count; one += 1) {
      for (const policy of [this.healthy, this.struck]) policy.wait(1_000);
      const { at } = this.healthy;
      const input = { kind: 'polled', groupId: 'a', outcome, at } as const;
      this.#watch.see({ kind: 'ticked', at });
      this.#watch.see(input);
      this.healthy.input(input);
      const { groups } = this.struck.state;
      if (isLost !== true) this.struck.input(input);
      const [ups] = this.struck.state.ups;
      if (isLost === false && ups) this.#watch.follow('a', ups);
      if (isLost === false) continue;
      const state = isLost === true ? this.struck.state : { ...this.struck.state, groups };
      const partly = isLost === true ? null : new Set(groups.map(({ policy }) => policy.groupId));
      const [seen, { clock }] = [this.#watch.of('a'), this.#watch];
      this.struck.state = afterLostPoll(state, input, seen, clock, () => this.isOver, partly);
    }
    return this;
  }

  /** Of the first group. */
  get members(): readonly [Member | undefined, Member | undefined] {
    const of = ({ state }: Stepper) => state.groups[0]?.members[0];
    return [of(this.healthy), of(this.struck)];
  }

  get both(): readonly [UpsState, UpsState] {
    const [healthy, struck] = [this.healthy.state.ups[0], this.struck.state.ups[0]];
    if (healthy === undefined || struck === undefined) throw new Error('no UPS');
    return [healthy, struck];
  }
}

/** What ticks, groups and sequences ask. */
function known(ups: UpsState, nowMs: number): Readonly<Record<string, unknown>> {
  const { line, connection, fsd, readings, lastReport, batteryTime } = ups;
  return {
    line: line.kind,
    onBatteryMs: onBatteryMs(line, nowMs),
    onBattery: line.kind === 'outage' && line.onBattery,
    given: Math.round(batteryTimeMs(batteryTime, nowMs)),
    status: connection.status,
    onlyStale: connection.onlyStale,
    failedPolls: connection.failedPolls,
    fsd: fsd.kind,
    last: readings.last && [readings.last.source, readings.last.watchedMs, readings.last.reading],
    lastReport,
    counted: counted(ups),
    inhibits: ups.inhibits,
  };
}

/** Of the values: readings in a row, and what is in doubt. */
function counted({ confirmed, shown: { charge, runtime } }: UpsState): object {
  return [
    confirmed.LOW_BATTERY,
    confirmed.CRITICAL_RUNTIME,
    doubtOf(charge)?.sinceMs,
    doubtOf(runtime)?.sinceMs,
  ];
}

/** What counts over several readings: at most what a policy that had them would count. */
const standing: Readonly<Record<string, (ups: UpsState) => boolean>> = {
  OFF: ({ conditions }) => conditions.offSinceMs !== null,
  OVER: ({ conditions }) => conditions.overload === 'ACTIVE',
};

export type Polls = readonly (readonly [outcome: PollOutcome, count: number, isLost: boolean])[];

/** What both know after these polls. */
export function expectAlike(polls: Polls, settings?: string): void {
  const twins = new Twins(settings).polls(reading('OL', full), false, 3);
  for (const [outcome, count, isLost] of polls) twins.polls(outcome, isLost, count);
  const hasFsd = polls.some(([one]) => one.kind === 'reading' && one.reading.status.includes('FSD'));
  if (!hasFsd && twins.both[1].met) expect(twins.both[0].met, 'a trigger is met').not.to.equal(null);
  const [right, own] = twins.members;
  expect(own?.confirmed.LOW_BATTERY).to.equal(right?.confirmed.LOW_BATTERY);
  if (own?.met) expect(right?.met, 'a member has met a threshold').not.to.equal(null);
  // A poll ends a wait up to a tick earlier.
  for (const policy of [twins.healthy, twins.struck]) policy.wait(250);
  const [healthy, struck] = twins.both;
  const { nowMs } = twins.healthy;
  const expected = known(healthy, nowMs);
  // A charge in doubt is none for the sum of policy.
  const jumps = polls.some(([one]) => one.kind === 'reading' && (one.reading.chargePercent ?? 100) < 90);
  for (const [what, value] of Object.entries(known(struck, nowMs)))
    if (!(what === 'given' && jumps) && JSON.stringify(value) !== JSON.stringify(expected[what]))
      expect.fail(
        `${what}: ${JSON.stringify(value)}, and ${JSON.stringify(expected[what])} of a policy that works`,
      );
  for (const [what, stands] of Object.entries(standing))
    if (stands(struck)) expect(stands(healthy), `${what} stands`).to.equal(true);
  // What the reserve decides later, policy knows once it works again.
  const [last] = polls.at(-1) ?? [];
  if (last === undefined || hasFsd) return;
  twins.polls(last, false, 40);
  expect(twins.both[1].met?.trigger, 'met by now').to.equal(twins.both[0].met?.trigger);
}
