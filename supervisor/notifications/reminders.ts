// Repeats what stays open to the services that want it (`repeat`). Knows no event: it looks at the state of now.
import { durationInWords } from '../../shared/domain/base/duration.js';
import { capitalise } from '../../shared/domain/status/wording.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { OpenAlarm } from './open-alarms.js';

/** The shortest `repeat` is a minute. */
const everyMs = 1000;

export interface RepeatingService {
  readonly id: string;
  readonly repeatMs: number;
}

interface Watched {
  readonly sinceMs: number;
  /** By service: when the last message was sent, and which. */
  readonly lastSent: Map<string, { readonly atMs: number; readonly id: string }>;
}

export interface ReminderDependencies {
  readonly clock: Clock;
  readonly open: () => readonly OpenAlarm[];
  /** Posts the text to one service and returns the id of the message. */
  readonly post: (alarm: OpenAlarm, text: string, service: RepeatingService) => string;
  /** The message is not delivered yet: another one would only follow it. */
  readonly isOpen: (id: string) => boolean;
}

export class Reminders {
  readonly #deps: ReminderDependencies;
  #watched = new Map<string, Watched>();
  #dueMs = 0;

  constructor(deps: ReminderDependencies) {
    this.#deps = deps;
  }

  /** Call it at every tick, with the services that take messages about an alarm. */
  tick(servicesFor: (alarm: OpenAlarm) => readonly RepeatingService[]): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs < this.#dueMs) return;
    this.#dueMs = nowMs + everyMs;
    const open = this.#deps.open().map((alarm) => {
      const key = `${alarm.type} ${alarm.subject}`;
      return { alarm, key, watched: this.#watched.get(key) ?? { sinceMs: nowMs, lastSent: new Map() } };
    });
    this.#watched = new Map(open.map(({ key, watched }) => [key, watched]));
    for (const { alarm, watched } of open)
      for (const service of servicesFor(alarm)) this.#remind(alarm, watched, service, nowMs);
  }

  #remind(alarm: OpenAlarm, { sinceMs, lastSent }: Watched, service: RepeatingService, nowMs: number): void {
    const { id, repeatMs } = service;
    const last = lastSent.get(id);
    if (nowMs < (last?.atMs ?? sinceMs) + repeatMs) return;
    if (last !== undefined && this.#deps.isOpen(last.id)) return;
    const seconds = alarm.seconds ?? (nowMs - sinceMs) / 1000;
    const text = `${capitalise(alarm.text)}, for ${durationInWords(seconds)} so far.`;
    lastSent.set(id, { atMs: nowMs, id: this.#deps.post(alarm, text, service) });
  }
}
