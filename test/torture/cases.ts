// The cases of a run: every fault alone at every moment, and random pairs. The same seed gives the same cases.
import { seededRandom } from '../../scripts/simulated-upsd/random.js';
import type { Case, Fault, Moment } from './fault.js';
import { moments } from './fault.js';
import { catalogue } from './faults/catalogue.js';

/** Every fault alone, in the order of the catalogue. */
export function singles(seed: number, faults: readonly Fault[] = catalogue): readonly Case[] {
  const random = seededRandom(seed);
  return faults.flatMap(({ name }) =>
    moments.map((moment) => ({ faults: [name], moment, seed: integerBelow(random, 1e9) })),
  );
}

/** Two faults of different parts at a random moment; no pair twice. */
export function pairs(seed: number, count: number, faults: readonly Fault[] = catalogue): readonly Case[] {
  // A separate stream: more single faults must not change the pairs.
  const random = seededRandom(seed ^ 0x5eed);
  const drawn = new Map<string, Case>();
  for (let tries = 0; drawn.size < count && tries < count * 20; tries += 1) {
    const one = faults[integerBelow(random, faults.length)];
    const other = faults[integerBelow(random, faults.length)];
    const moment = moments[integerBelow(random, moments.length)] as Moment;
    if (one === undefined || other === undefined || !together(one, other)) continue;
    const names = [one.name, other.name];
    drawn.set(`${moment} ${[...names].sort().join(' ')}`, {
      faults: names,
      moment,
      seed: integerBelow(random, 1e9),
    });
  }
  return [...drawn.values()];
}

/** A part has one fault at a time; those that share a program die at the same starts. */
function together(one: Fault, other: Fault): boolean {
  const program = ({ part }: Fault): string => part.replace(/^nut-.*/, 'nut');
  return program(one) !== program(other);
}

/**
 * The short form: each kind of fault once, and some pairs. A machine may lack what a case needs (a disk, a clock); such a
 * case has a similar one that needs nothing.
 */
export function short(seed: number): readonly Case[] {
  const chosen: readonly (readonly [Moment, ...string[]])[] = [
    ['outage', 'the process of the other pollers floods its link'],
    ['sequence', 'the remote worker hangs in an endless loop'],
    ['outage', 'the api worker leaks memory', 'the NUT server of another UPS hangs'],
    ['sequence', 'the SSH server of one target hangs', 'the log worker is killed'],
    ['outage', 'the storage worker is stuck in a system call', 'the MQTT broker hangs'],
    ['outage', 'the poller of this host hangs in an endless loop', 'the MQTT worker is killed'],
    [
      'sequence',
      'the process of the other pollers is killed',
      'the notification worker hangs in an endless loop',
    ],
    ['sequence', 'the disk of the history is frozen', 'the notification server hangs'],
    ['mains', 'the whole daemon is suspended for 6 s'],
    ['mains', 'the clock is set ahead by 7 hours', 'the poller of this host sends a frame of another phase'],
    ['sequence', 'the supervisor is killed at a random moment and started again'],
    ['outage', 'the supervisor has no file descriptor left'],
  ];
  const random = seededRandom(seed);
  return chosen.map(([moment, ...faults]) => ({ faults, moment, seed: integerBelow(random, 1e9) }));
}

function integerBelow(random: () => number, below: number): number {
  return Math.floor(random() * below);
}
