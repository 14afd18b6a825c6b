// Faults of a server that can be switched on and off at run time. Each is a program error or a network fault that a
// client must survive.
import type { ErrorToken } from './answers.js';

export type SimulatedFault =
  /** Reads and never answers. */
  | { readonly kind: 'hang' }
  /** Answers, this many bytes a second. */
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** Sends this many rows of a list, then closes. */
  | { readonly kind: 'closeMidList'; readonly afterRows: number }
  /** Closes instead of answering. */
  | { readonly kind: 'close' }
  /** Every query that names the UPS is refused with this error. */
  | { readonly kind: 'error'; readonly token: ErrorToken }
  /** Sends these bytes instead of an answer. */
  | { readonly kind: 'garbage'; readonly bytes: string };

/** The fault in force for a server as a whole, and for each of its UPSes. */
export class Faults {
  #whole: SimulatedFault | undefined;
  readonly #byUps = new Map<string, SimulatedFault>();

  /** Without a UPS the fault hits every query of every connection. Undefined ends it. */
  set(fault: SimulatedFault | undefined, ups?: string): void {
    if (ups === undefined) this.#whole = fault;
    else if (fault === undefined) this.#byUps.delete(ups.toLowerCase());
    else this.#byUps.set(ups.toLowerCase(), fault);
  }

  /** The fault for a query; any word of it may be the name of a UPS. */
  forQuery(words: readonly string[]): SimulatedFault | undefined {
    if (this.#whole !== undefined || this.#byUps.size === 0) return this.#whole;
    for (const word of words) {
      const fault = this.#byUps.get(word.toLowerCase());
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
}
