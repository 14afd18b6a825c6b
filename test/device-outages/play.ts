// Plays devices through the decoder of the poller and through policy, all in one daemon, a poll of each a second.
import type { Variables } from '../../shared/domain/ups/reading.js';
import type { UpsSettings } from '../../supervisor/policy/base/inputs.js';
import { initialState } from '../../supervisor/policy/state/state.js';
import { readingOf } from '../../workers/poller/reading/reading.js';
import type { DeviceDump } from '../fixtures/device-dumps.js';
import { parseTranscript } from '../transcript/parse.js';
import { soundStep } from '../transcript/sound-step.js';
import type { Grain } from './shown.js';
import { lastsSeconds, onBattery, onLine } from './shown.js';

/** A sequence: how long after the transfer it was started, and by which trigger. */
export interface Start {
  readonly atSeconds: number;
  readonly trigger: string;
}

/** One input adds at most a second to watched time. */
const tickMs = 1000;

export class DeviceDaemon {
  readonly #ids: readonly string[];
  readonly #starts = new Map<string, Start>();
  #state = initialState;
  #nowMs = 1_000_000;
  #sinceMs = this.#nowMs;

  constructor(count: number, settings: string) {
    const [usual] = parseTranscript(`ups a ${settings}`).ups;
    if (usual === undefined) throw new Error('no UPS');
    this.#ids = Array.from({ length: count }, (_, index) => `u${String(index)}`);
    const ups = this.#ids.map((id): UpsSettings => ({ ...usual, groupId: id, name: id, label: id }));
    this.#input({
      kind: 'configured',
      at: this.#at,
      settings: { ups, redundancyGroups: [], voltageHysteresisMs: 30_000 },
    });
  }

  get #at() {
    return { monotonicMs: this.#nowMs, unixSeconds: this.#nowMs / 1000 };
  }

  /** By the place of the device. */
  started(place: number): Start | null {
    return this.#starts.get(this.#ids[place] ?? '') ?? null;
  }

  /** Polls each device every `everySeconds`: `shown` is what it answers in that second. */
  play(seconds: number, everySeconds: number, shown: (place: number, second: number) => Variables): void {
    this.#sinceMs = this.#nowMs;
    for (let second = 1; second <= seconds; second += 1) {
      this.#nowMs += tickMs;
      this.#input({ kind: 'ticked', at: this.#at });
      if (second % everySeconds !== 0) continue;
      for (const [place, groupId] of this.#ids.entries()) {
        // One sequence in an outage: what comes after it is no matter here.
        if (this.#starts.has(groupId)) continue;
        const variables = shown(place, second);
        const outcome = { kind: 'reading', reading: readingOf(variables), variables } as const;
        this.#input({ kind: 'polled', at: this.#at, groupId, outcome });
      }
    }
  }

  #input(input: Parameters<typeof soundStep>[1]): void {
    const { state, effects } = soundStep(this.#state, input);
    this.#state = state;
    for (const effect of effects) {
      if (effect.kind !== 'startSequence') continue;
      const atSeconds = (this.#nowMs - this.#sinceMs) / 1000;
      this.#starts.set(effect.groupId, { atSeconds, trigger: effect.trigger });
    }
  }
}

/** What each device starts in an outage after a minute of line power. */
export function outageOf(
  dumps: readonly DeviceDump[],
  settings: string,
  grain: Grain,
): readonly (Start | null)[] {
  const daemon = new DeviceDaemon(dumps.length, settings);
  const of = (place: number): Variables => dumps[place]?.variables ?? {};
  const line = dumps.map(({ variables }) => onLine(variables));
  daemon.play(60, 1, (place) => line[place] ?? {});
  daemon.play(lastsSeconds, 1, (place, second) => onBattery(of(place), second, grain));
  return dumps.map((_, place) => daemon.started(place));
}
