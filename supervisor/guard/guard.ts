// Keeps exceptions off the way from a reading to a command. What a collaborator throws there is a bug: it is logged, once
// per kind, and the caller goes on. A listener is not called again; a tool is called once more, and then a stand-in answers.
import type { Logger } from '../../shared/runtime/log.js';
import { errorTrace } from '../../shared/domain/error-message.js';

/** A method of a collaborator, as the wrapper sees it. */
type Method = (...args: unknown[]) => unknown;
type Methods = Readonly<Record<string, Method>>;

export class Guard {
  readonly #log: Logger;
  readonly #logged = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Logs the bug, the first time that an error from this line of code is caught here. Never throws. */
  caught(place: string, error: unknown): void {
    try {
      const trace = errorTrace(error);
      // The line that threw, not the message: a message may hold a name or a number, and be new each time.
      const kind = `${place} ${trace.split('\n').find((line) => /^\s+at /.test(line)) ?? typeof error}`;
      if (this.#logged.has(kind)) return;
      this.#logged.add(kind);
      this.#log.error(
        `bug: ${place} failed, and the daemon goes on without it; please report this. It is logged once. ${trace}`,
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
      this.caught(place, error);
      return false;
    }
  }

  /** Runs all of them in their order: one that throws keeps none from its turn. */
  all(place: string, acts: Readonly<Record<string, () => unknown>>): void {
    for (const [name, act] of Object.entries(acts)) this.run(`${place} of ${name}`, act);
  }

  /**
   * `target` as a listener that cannot disturb its caller: what it throws is logged. `silent` has every method of it; a
   * method that is missing there does not compile.
   */
  listener<T extends object>(name: string, target: T, silent: T): T {
    return this.#wrapped(name, target, silent, 1);
  }

  /**
   * `target` as a tool that always answers. Where a call throws it is made once more; where that throws too, or the
   * promise it gave is rejected, `standIn` answers.
   */
  tool<T extends object>(name: string, target: T, standIn: T): T {
    return this.#wrapped(name, target, standIn, 2);
  }

  #wrapped<T extends object>(name: string, target: T, standIn: T, calls: number): T {
    const given = target as Methods;
    const wrapped = Object.entries(standIn as Methods).map(([method, instead]) => {
      const place = `${name}.${method}`;
      const call: Method = (...args) => {
        for (let left = calls; left > 0; left -= 1) {
          try {
            const value = given[method]?.(...args);
            if (!(value instanceof Promise)) return value;
            return value.catch((error: unknown) => {
              this.caught(place, error);
              return instead(...args);
            });
          } catch (error) {
            this.caught(place, error);
          }
        }
        return instead(...args);
      };
      return [method, call] as const;
    });
    return Object.fromEntries(wrapped) as T;
  }
}
