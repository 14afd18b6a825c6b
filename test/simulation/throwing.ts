// Collaborators of the daemon that throw when the scenario says so. A fault is one call, which throws before it has any
// effect. A listener throws after it was called, because the oracle observes through it.

/** What can throw; `reach`: how steps act. */
export const throwers = [
  'clock.monotonicMs',
  'clock.wallSeconds',
  'log.info',
  'log.warning',
  'log.error',
  'snapshot.write',
  'journals.begin',
  'journals.write',
  'journals.flush',
  'timer.setTimer',
  'command.run',
  'performers.stopVirtualMachines',
  'performers.stopCompose',
  'performers.stopContainers',
  'performers.sync',
  'performers.unmount',
  'performers.upsOutputOff',
  'performers.remote',
  'performers.poweroffDelegate',
  'reach.shutDown',
  'reach.cut',
  'observer.record',
  'observer.notify',
  'observer.upsChanged',
  'observer.sequenceChanged',
  'observer.sequenceEnded',
  'observer.prepare',
  'observer.stepped',
] as const;
export type Thrower = (typeof throwers)[number];

/** Part of the message of every injected error. */
export const injectedFault = 'injected fault';

type Method = (...args: unknown[]) => unknown;

export class Throwing {
  /** Number of calls before the one that throws. */
  readonly #armed = new Map<string, number>();

  /** The call after `skipped` other ones throws. */
  arm(thrower: Thrower, skipped: number): void {
    this.#armed.set(thrower, skipped);
  }

  disarm(): void {
    this.#armed.clear();
  }

  /** `target`, whose armed calls throw. `hears`: it throws after the call. */
  of<T extends object>(name: string, target: T, hears = false): T {
    const given = target as Readonly<Record<string, Method>>;
    const known = new Map<string, Method>();
    const throwing = (method: string): Method => {
      const call = `${name}.${method}`;
      return (...args) => {
        if (!this.#isDue(call)) return given[method]?.(...args);
        if (hears) given[method]?.(...args);
        throw new Error(`${injectedFault}: ${call}`);
      };
    };
    // Also finds the methods of a class.
    return new Proxy(target, {
      get: (_, method) => {
        const one = known.get(String(method)) ?? throwing(String(method));
        known.set(String(method), one);
        return one;
      },
    });
  }

  #isDue(call: string): boolean {
    if (this.#armed.size === 0) return false;
    const left = this.#armed.get(call);
    if (left === undefined) return false;
    if (left > 0) this.#armed.set(call, left - 1);
    else this.#armed.delete(call);
    return left === 0;
  }
}
