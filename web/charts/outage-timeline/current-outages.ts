// The readings of each outage, and the forecast from them: the same for the banner of every view and for the timelines.
import type { SequenceRun, UpsRow } from '../../../shared/domain/status/status-model.js';
import { runsOf, wasCancelled } from '../../../shared/domain/status/wording.js';
import type { ClientState, Plan } from '../../daemon/client-state.js';
import { groupOf, isDisconnected, stateSeconds } from '../../daemon/client-state.js';
import type { Sample, Samples } from './sample.js';
import type { TimelineModel } from './timeline-model.js';
import { timelineModel } from './timeline-model.js';

export interface Outage {
  readonly model: TimelineModel;
  /** Oldest first; none on line power. */
  readonly samples: readonly Sample[];
  readonly plan: Plan | undefined;
  /** The sequence of this outage, if there was one. */
  readonly run: SequenceRun | null;
}

/** For each one the history is read every 20 s; the banner has six lines. */
const maxForecasts = 8;

export class CurrentOutages {
  readonly #samples = new Map<string, Samples>();

  constructor(
    readonly clientState: ClientState,
    readonly newSamples: (groupId: string) => Samples,
  ) {}

  /** Adds the present readings of `row`. On line power: an outage that begins now. */
  of(row: UpsRow): Outage {
    const { clientState } = this;
    const { explanations, plans, sequence } = clientState;
    const group = groupOf(clientState, row);
    const now = stateSeconds(clientState);
    const started = now - row.timeOnBattery;
    const run = runsOf(sequence).find((one) => one.group === group) ?? null;
    const isOwn = run !== null && row.timeOnBattery > 0 && run.startedAt >= started - 2;
    const samples = this.#samplesOf(row, now, started);
    const plan = plans.get(group);
    const model = timelineModel({
      row,
      triggers: explanations.get(row.groupId)?.triggers ?? [],
      plan,
      samples,
      run: isOwn ? { ...run, endedAt: endOf(run), cancelled: wasCancelled(run) } : null,
      advisory: group !== row.groupId,
      now,
    });
    return { model, samples, plan, run: isOwn ? run : null };
  }

  /** By groupId, for the banner: the forecast of each UPS whose runtime falls faster than the UPS reports. */
  paceWarnings(): ReadonlyMap<string, string> {
    const rows = (this.clientState.status?.ups ?? []).filter(
      ({ timeOnBattery, connectionState }) => timeOnBattery > 0 && connectionState === 'OK',
    );
    return new Map(
      rows
        .slice(0, maxForecasts)
        .map((row) => [row.groupId, this.of(row).model.paceWarning] as const)
        .filter(([, warning]) => warning !== ''),
    );
  }

  #samplesOf(row: UpsRow, now: number, started: number): readonly Sample[] {
    if (row.timeOnBattery === 0) {
      this.#samples.delete(row.groupId);
      return [];
    }
    const data = this.#samples.get(row.groupId) ?? this.newSamples(row.groupId);
    this.#samples.set(row.groupId, data);
    // Without a connection the values are those of the previous test.
    if (!isDisconnected(this.clientState)) data.add(row, now, started);
    return data.samples();
  }
}

/** When the last step ended; null while the sequence runs. */
function endOf({ active, startedAt, steps }: SequenceRun): number | null {
  return active ? null : Math.max(startedAt, ...steps.map(({ endedAt }) => endedAt ?? startedAt));
}
