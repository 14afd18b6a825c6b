// The only randomness of a simulation: a stream of numbers determined by a seed, the same on every machine.
import { seededRandom } from '../../scripts/simulated-upsd/random.js';

export class Random {
  readonly next: () => number;

  /** Every pair of `seed` and `run` has a stream of its own. */
  constructor(seed: number, run = 0) {
    this.next = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b));
    // The first numbers of neighbouring seeds are similar.
    for (let index = 0; index < 8; index += 1) this.next();
  }

  /** An integer from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** One of the keys, each as likely as its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries<number>(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return this.pick(entries)[0];
  }
}
