// Mains that flicker: after two reported outages of a UPS within ten minutes further short ones are counted and told together.
// Holds ON_BATTERY and its POWER_RESTORED alone; events and history keep each. What is held is stored: it survives a kill.
import type { EventType } from '../../shared/domain/status/events.js';
import { categoryOf, isSafetyEvent } from '../../shared/domain/status/events.js';
import { durationInWords } from '../../shared/domain/base/duration.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { RecordedEvent } from '../events/event-recorder.js';

/** Ten minutes without an outage end a flicker. */
const windowMs = 600_000;
const reported = 2;
/** An outage in a flicker that lasts as long is reported as any other. */
export const flickerOutageMs = 60_000;

export interface FlickerMessage {
  readonly source: string;
  readonly type: 'ON_BATTERY' | 'POWER_FLICKERS';
  readonly text: string;
  readonly urgent: boolean;
}

interface Course {
  /** When each outage that counts began, of the last ten minutes or of the flicker (monotonic ms, as all times here). */
  begins: readonly number[];
  /** When the last outage began, and whether it lasts. */
  lastMs: number;
  isOut: boolean;
  isFlicker: boolean;
  /** The id of the ON_BATTERY that is not told yet. */
  held: string | null;
}

export interface FlickerDependencies {
  readonly clock: Clock;
  /** Outages shorter than this count as none: the services here are not told of them (`after`). */
  readonly afterMs: number;
  readonly labelOf: (source: string) => string;
  /** Returns the id of the message. One that is held waits for `release` or `drop`. */
  readonly post: (message: FlickerMessage, isHeld: boolean) => string;
  readonly release: (id: string) => void;
  readonly drop: (id: string) => void;
}

/** These say more of the outage than its begin, which must not come after them. */
const releases = (type: EventType): boolean =>
  type === 'LOW_BATTERY_FLAG' || type === 'FSD_DETECTED' || isSafetyEvent(type);

export class Flicker {
  readonly #deps: FlickerDependencies;
  readonly #courses = new Map<string, Course>();

  constructor(deps: FlickerDependencies) {
    this.#deps = deps;
  }

  /** Whether this event gets no message of its own now. Call it for each event, before its message. */
  holds({ source, type, detail }: RecordedEvent): boolean {
    if (type === 'ON_BATTERY') return this.#began(source, detail);
    const course = this.#courses.get(source);
    if (type === 'POWER_RESTORED') return course !== undefined && this.#ended(source, course);
    // A shutdown may be that of a group.
    if (categoryOf(type) === 'shutdown') for (const each of this.#courses.values()) this.#tell(each);
    else if (course !== undefined && releases(type)) this.#tell(course);
    return false;
  }

  /** Call it at every tick. */
  tick(): void {
    const nowMs = this.#deps.clock.monotonicMs();
    for (const [source, course] of this.#courses) {
      if (nowMs >= course.lastMs + flickerOutageMs) this.#tell(course);
      if (course.isOut || nowMs < course.lastMs + windowMs) continue;
      this.#courses.delete(source);
      this.#tellEnd(source, course);
    }
  }

  /** The daemon ends: nothing would follow what is held. */
  end(): void {
    for (const [source, course] of this.#courses) {
      this.#tell(course);
      this.#tellEnd(source, course);
    }
    this.#courses.clear();
  }

  #began(source: string, text: string): boolean {
    const nowMs = this.#deps.clock.monotonicMs();
    const known = this.#courses.get(source);
    const course = known ?? { begins: [], lastMs: nowMs, isOut: false, isFlicker: false, held: null };
    this.#courses.set(source, course);
    if (course.isOut) return false;
    course.isOut = true;
    course.lastMs = nowMs;
    if (!course.isFlicker) course.begins = course.begins.filter((ms) => nowMs < ms + windowMs);
    if (course.begins.length < reported) return false;
    course.held = this.#deps.post({ source, type: 'ON_BATTERY', text, urgent: true }, true);
    return true;
  }

  /** Whether the end needs no message: its begin had none. */
  #ended(source: string, course: Course): boolean {
    if (!course.isOut) return false;
    course.isOut = false;
    const isUntold = course.held !== null;
    if (course.held !== null) this.#deps.drop(course.held);
    course.held = null;
    if (this.#deps.clock.monotonicMs() < course.lastMs + this.#deps.afterMs) return isUntold;
    course.begins = [...course.begins, course.lastMs];
    if (course.begins.length > reported && !course.isFlicker) this.#tellBegin(source, course);
    return isUntold;
  }

  #tell(course: Course): void {
    if (course.held !== null) this.#deps.release(course.held);
    course.held = null;
  }

  #tellBegin(source: string, course: Course): void {
    course.isFlicker = true;
    const label = this.#deps.labelOf(source);
    this.#post(
      source,
      `The mains of ${label} flicker: ${times(course)}. From now on short outages are counted and told together; one of 60 s, ` +
        'a low battery and a shutdown are told at once. Look for the cause: the supply, a generator, or the sensitivity of the UPS.',
      true,
    );
  }

  #tellEnd(source: string, course: Course): void {
    if (!course.isFlicker) return;
    const calm = durationInWords((this.#deps.clock.monotonicMs() - course.lastMs) / 1000);
    this.#post(
      source,
      `The mains of ${this.#deps.labelOf(source)} have flickered: ${times(course)}, and none in the last ${calm}. ` +
        '"ridethrough events" lists each. If this happens again, have the supply and the sensitivity of the UPS checked.',
      false,
    );
  }

  #post(source: string, text: string, urgent: boolean): void {
    this.#deps.post({ source, type: 'POWER_FLICKERS', text, urgent }, false);
  }
}

function times({ begins }: Course): string {
  const spanMs = (begins.at(-1) ?? 0) - (begins[0] ?? 0);
  return `${String(begins.length)} times on battery within ${durationInWords(spanMs / 1000)}`;
}
