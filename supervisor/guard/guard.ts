// Keeps exceptions of collaborators off the path from a reading to a command. An exception there is a bug: it is logged,
// once per kind, and the caller continues. A listener is not called again. Where an answer is needed, the call is made
// once more, and then a fallback answers.
import { errorTrace } from '../../shared/domain/base/error-message.js';
import type { Logger } from '../../shared/runtime/log.js';

/** A method of a collaborator, as the wrapper sees it. */
type Method = (...args: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;

export class Guard {
  readonly #log: Logger;
  readonly #logged = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs the bug when an error from this line of code is caught for the first time. Never throws. */
  logBug(place: string, error: unknown): void {
    try {
      const trace = errorTrace(error);
      // Identified by the line that threw, not by the message: a message may contain a name or a number.
      const kind = `${place} ${trace.split('\n').find((line) => /^\s+at /.test(line)) ?? typeof error}`;
      if (this.#logged.has(kind)) return;
      this.#logged.add(kind);
      this.#log.error(
        `bug: ${place} failed, and the daemon continues without it; please report this. It is logged once. ${trace}`,
      );
    } catch {
      // The log itself throws: there is nowhere else to write.
    }
  }

  /** Runs `act`; false when it threw. */
  run(place: string, act: () => unknown): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.logBug(place, error);
      return false;
    }
  }

  /** Runs all in order; the rest still run when one throws. */
  runAll(place: string, acts: Readonly<Record<string, () => unknown>>): void {
    for (const [name, act] of Object.entries(acts)) this.run(`${place} of ${name}`, act);
  }

  /**
   * `target` as a listener that cannot disturb its caller: what it throws is logged. `silent` must have every method of
   * `target`; one that is missing does not compile.
   */
  listener<T extends object>(name: string, target: T, silent: T): T {
    return this.#wrap(name, target, silent, 1);
  }

  /**
   * `target` with an answer to every call. A call that throws is made once more. When that throws too, or the promise is
   * rejected, `fallback` answers.
   */
  withFallback<T extends object>(name: string, target: T, fallback: T): T {
    return this.#wrap(name, target, fallback, 2);
  }

  #wrap<T extends object>(name: string, target: T, fallback: T, calls: number): T {
    const methods = target as Methods;
    const wrapped = Object.entries(fallback as Methods).map(([method, instead]) => {
      const place = `${name}.${method}`;
      const guarded = methods[method];
      const call: Method = (...args) => {
        for (let left = calls; left > 0; left -= 1) {
          try {
            const value = guarded?.apply(target, args);
            if (!(value instanceof Promise)) return value;
            return value.catch((error: unknown) => {
              this.logBug(place, error);
              return instead(...args);
            });
          } catch (error) {
            this.logBug(place, error);
          }
        }
        return instead(...args);
      };
      return [method, call] as const;
    });
    return Object.fromEntries(wrapped) as T;
  }
}
