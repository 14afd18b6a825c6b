import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';

/** A configuration that policy cannot read while `isBroken`; nobody else is hindered. */
export class Bug {
  isBroken = false;

  /** `name`: only of this UPS. */
  in(configuration: Configuration, field: string, name?: string): Configuration {
    const ups = configuration.ups.map((one) =>
      name === undefined || one.policy.name === name
        ? { ...one, policy: this.#unreadable(one.policy, field) }
        : one,
    );
    return { ...configuration, ups };
  }

  #unreadable<T extends object>(settings: T, field: string): T {
    const value = (settings as Record<string, unknown>)[field];
    const get = (): unknown => {
      const by = new Error().stack?.split('\n')[2] ?? '';
      if (this.isBroken && by.includes('/supervisor/policy/')) throw new Error(`policy cannot read ${field}`);
      return value;
    };
    return Object.defineProperty({ ...settings }, field, { get, enumerable: true });
  }
}
