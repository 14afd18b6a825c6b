// What an invariant is: it watches the record of what the daemon was given, did and said, and the truth of the world, and states
// one promise of docs/verification.md. None knows how policy decides.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Observer } from '../observer.js';
import type { Answer, Course } from './courses.js';
import type { Facts } from './facts.js';

export interface Watcher extends Partial<Observer> {
  /** A UPS has given a good reading, which is the last of its course. */
  answered?(ups: string, answer: Answer, course: Course, policy: UpsSettings): void;
  /** After an input, when its events and steps are known: a UPS has met a trigger. `group`: by whose thresholds; null: its own. */
  triggered?(ups: string, trigger: string, detail: string, group: string | null): void;
  /** After every input, last. */
  checked?(): void;
}

export type Invariant = (facts: Facts) => Watcher;
