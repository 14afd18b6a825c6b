// All invariants of a run, one for each row of the table in docs/verification.md.
import type { Observer } from '../observer.js';
import { observers } from '../observer.js';
import type { World } from '../world.js';
import { BatteryWithCause } from './battery-with-cause.js';
import { Budgets } from './budgets.js';
import { Complete } from './complete.js';
import { DiskBeforeCommand } from './disk-before-command.js';
import { Facts } from './facts.js';
import { Gates } from './gates.js';
import { Grace } from './grace.js';
import type { Violation, Watcher } from './moment.js';
import { NextBoot } from './next-boot.js';
import { OneSequence } from './one-sequence.js';
import { Order } from './order.js';
import { OutageDeadline } from './outage-deadline.js';
import { Output } from './output.js';
import { Pace } from './pace.js';
import { PointOfNoReturn } from './point-of-no-return.js';
import { PollerBack } from './poller-back.js';
import { Quorum } from './quorum.js';
import { Repetition } from './repetition.js';
import { ServerOrder } from './server-order.js';
import { Servers } from './servers.js';
import { ShutdownWithCause } from './shutdown-with-cause.js';
import { StoodLongEnough } from './stood-long-enough.js';
import { TriggerInTime } from './trigger-in-time.js';

const all = [
  OutageDeadline,
  StoodLongEnough,
  ShutdownWithCause,
  BatteryWithCause,
  TriggerInTime,
  Grace,
  Quorum,
  OneSequence,
  DiskBeforeCommand,
  Order,
  ServerOrder,
  Repetition,
  PointOfNoReturn,
  Pace,
  Budgets,
  Gates,
  Servers,
  Complete,
  Output,
  NextBoot,
  PollerBack,
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
    const invariants: readonly Watcher[] = all.map((One) => new One(facts));
    const check = () => {
      for (const one of invariants) one.checked?.();
      facts.events = [];
    };
    const figures: Partial<Observer> = {
      recorded: ({ type }) => {
        if (type === 'SHUTDOWN_TRIGGERED') this.starts += 1;
      },
      polled: (_, { outcome }) => {
        if (outcome.kind === 'reading') this.readings += 1;
        check();
      },
      ticked: check,
      handledOther: () => {
        const start = facts.events.find(({ type }) => type === 'SHUTDOWN_TRIGGERED');
        if (start !== undefined) facts.violated('only a poll or a tick starts anything', start.detail);
        check();
      },
      loggedError: (message) => facts.violated('policy never throws', message),
      hostDown: (why) => {
        if (why === 'power-off') this.powerOffs += 1;
        else this.blackouts += 1;
      },
    };
    this.#facts = facts;
    this.observer = observers([facts.before, ...invariants, facts.after, figures]);
  }

  get violation(): Violation | null {
    return this.#facts.violation;
  }
}
