// Per UPS: poll counters, the last variables, the device; for the metrics. Kept here, so that a restart of the API
// worker resets no counter.
import type { Variables } from '../../shared/domain/ups/reading.js';
import type { PollFailure } from '../../shared/domain/status/states.js';
import { hasNoData } from '../../shared/domain/ups/status-words.js';
import type { UpsTelemetry } from '../../shared/protocol/api.js';
import { pollSecondsBounds } from '../../shared/protocol/api.js';
import type { UpsPolled } from '../../shared/protocol/poller.js';

interface Counters {
  lastUpdateTime: number | null;
  variables: Variables;
  pollsOk: number;
  readonly pollsFailed: Map<PollFailure, number>;
  readonly bucketCounts: number[];
  secondsSum: number;
}

export class PollStatistics {
  readonly #byUps = new Map<string, Counters>();

  /** Deletes every UPS that is not in `groupIds`. */
  keep(groupIds: readonly string[]): void {
    for (const groupId of this.#byUps.keys()) if (!groupIds.includes(groupId)) this.#byUps.delete(groupId);
  }

  polled(groupId: string, poll: UpsPolled, unixSeconds: number): void {
    const counters = this.#of(groupId);
    const seconds = Math.max(0, poll.endedAt - poll.startedAt) / 1000;
    const bucket = pollSecondsBounds.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? pollSecondsBounds.length : bucket;
    counters.bucketCounts[index] = (counters.bucketCounts[index] ?? 0) + 1;
    counters.secondsSum += seconds;
    if (poll.outcome.kind === 'reading') {
      counters.pollsOk += 1;
      // WAIT: the server answered and its driver has no data yet.
      if (!hasNoData(poll.outcome.reading.status)) counters.lastUpdateTime = unixSeconds;
      counters.variables = poll.outcome.variables;
    } else {
      const { detail } = poll.outcome;
      counters.pollsFailed.set(detail, (counters.pollsFailed.get(detail) ?? 0) + 1);
    }
  }

  /** All NUT variables of the last good poll, verbatim; empty before any. */
  variables(groupId: string): Variables {
    return this.#of(groupId).variables;
  }

  of(groupId: string): Omit<UpsTelemetry, 'energy' | 'selfTest' | 'nextTest' | 'batteryHealth'> {
    const { lastUpdateTime, variables, pollsOk, pollsFailed, bucketCounts, secondsSum } = this.#of(groupId);
    const named = (...names: string[]) => names.map((name) => variables[name]).find((value) => value) ?? '';
    return {
      lastUpdateTime,
      manufacturer: named('device.mfr', 'ups.mfr'),
      model: named('device.model', 'ups.model'),
      serial: named('device.serial', 'ups.serial'),
      firmware: named('ups.firmware'),
      pollsOk,
      pollsFailed: [...pollsFailed].map(([detail, count]) => ({ detail, count })),
      pollSeconds: { counts: [...bucketCounts], sum: secondsSum },
    };
  }

  #of(groupId: string): Counters {
    let counters = this.#byUps.get(groupId);
    if (counters === undefined) {
      counters = {
        lastUpdateTime: null,
        variables: {},
        pollsOk: 0,
        pollsFailed: new Map(),
        bucketCounts: Array.from({ length: pollSecondsBounds.length + 1 }, () => 0),
        secondsSum: 0,
      };
      this.#byUps.set(groupId, counters);
    }
    return counters;
  }
}
