// All invariants of a run, by the table in docs/verification.md.
import type { Observer } from '../observer.js';
import { observers } from '../observer.js';
import type { World } from '../world.js';
import { batteryWithCause } from './battery-with-cause.js';
import { budgets } from './budgets.js';
import { complete } from './complete.js';
import { diskBeforeCommand } from './disk-before-command.js';
import { Facts } from './facts.js';
import { gates } from './gates.js';
import { grace } from './grace.js';
import type { Invariant } from './invariant.js';
import type { Violation } from './moment.js';
import { nextBoot } from './next-boot.js';
import { oneSequence } from './one-sequence.js';
import { order } from './order.js';
import { outageDeadline } from './outage-deadline.js';
import { output } from './output.js';
import { pace } from './pace.js';
import { pointOfNoReturn } from './point-of-no-return.js';
import { pollerBack } from './poller-back.js';
import { quorum } from './quorum.js';
import { repetition } from './repetition.js';
import { serverOrder } from './server-order.js';
import { servers } from './servers.js';
import { shutdownWithCause } from './shutdown-with-cause.js';
import { stoodLongEnough } from './stood-long-enough.js';
import { triggerInTime } from './trigger-in-time.js';

const all: readonly Invariant[] = [
  ...[outageDeadline, stoodLongEnough, shutdownWithCause, batteryWithCause, triggerInTime, grace, quorum],
  ...[oneSequence, diskBeforeCommand, order, serverOrder, repetition, pointOfNoReturn, pace, budgets, gates],
  ...[servers, complete, output, nextBoot, pollerBack],
];

/** Judges a run. */
export class Invariants {
  readonly observer: Observer;
  readonly #facts: Facts;
  readings = 0;
  starts = 0;
  powerOffs = 0;
  blackouts = 0;

  constructor(world: World) {
    const facts = new Facts(world);
    const watchers = all.map((invariant) => invariant(facts));
    const endInput = () => {
      for (const { source, type, detail } of facts.events) {
        const [, name, group] = /^(\w+)(?::| by the thresholds of ([^:]+):)/.exec(detail) ?? [];
        const isTrigger = type === 'SHUTDOWN_TRIGGERED' || type === 'TRIGGER_ADVISORY';
        if (!isTrigger || name === undefined || facts.policy(source) === undefined) continue;
        for (const one of watchers) one.triggered?.(source, name, detail, group ?? null);
      }
      facts.judge();
      for (const one of watchers) one.checked?.();
      facts.events = [];
    };
    const figures: Partial<Observer> = {
      recorded: ({ type }) => {
        if (type === 'SHUTDOWN_TRIGGERED') this.starts += 1;
      },
      polled: (ups, { outcome }) => {
        const course = facts.courses.of(ups);
        const { last } = course;
        const policy = facts.policy(ups);
        if (outcome.kind === 'reading') this.readings += 1;
        if (outcome.kind === 'reading' && last?.reading === outcome.reading && policy !== undefined)
          for (const one of watchers) one.answered?.(ups, last, course, policy);
        endInput();
      },
      ticked: endInput,
      handledOther: () => {
        const [start] = facts.starts;
        if (start !== undefined) facts.violated('only a poll or a tick starts anything', start.detail);
        endInput();
      },
      loggedError: (message) => facts.violated('policy never throws', message),
      hostDown: (why) => {
        if (why === 'power-off') this.powerOffs += 1;
        else this.blackouts += 1;
      },
    };
    this.#facts = facts;
    this.observer = observers([
      ...[facts.before, ...watchers],
      // An invariant sees the records as they were.
      ...[facts.steps, facts.sequences, facts.after, figures],
    ]);
  }

  get violation(): Violation | null {
    return this.#facts.violation;
  }

  /** Nothing that comes later changes the judgement. */
  get isDecided(): boolean {
    return this.violation !== null;
  }
}
