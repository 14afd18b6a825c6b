// Collaborators of the daemon that throw when the scenario says so. A fault is one call, which throws before it has any
// effect. A listener throws after it was called, because the judge observes through it.

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
    const throwing = methodsOf(target).map(([method, real]) => {
      const call = `${name}.${method}`;
      const one: Method = (...args) => {
        if (!this.#isDue(call)) return real.apply(target, args);
        if (hears) real.apply(target, args);
        throw new Error(`${injectedFault}: ${call}`);
      };
      return [method, one] as const;
    });
    return Object.fromEntries(throwing) as T;
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

/** The methods of its class; of an object without a class its own. */
function methodsOf(target: object): readonly (readonly [string, Method])[] {
  const { prototype } = target.constructor as { readonly prototype: object };
  const all = Object.getOwnPropertyDescriptors(prototype === Object.prototype ? target : prototype);
  return Object.entries(all).flatMap(([name, { value }]) =>
    typeof value === 'function' ? [[name, value as Method] as const] : [],
  );
}

/** As in the daemon, an exception of policy ends no tick. */
export function orFalse(act: () => boolean): boolean {
  try {
    return act();
  } catch {
    return false;
  }
}
