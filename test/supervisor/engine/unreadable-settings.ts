import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { configurationFrom, office } from '../config/loading.js';
import { ThrowingSite } from '../throwing-engine.js';

const text =
  '[triggers]\non_battery_stabilization_delay = 0\n[local_shutdown]\ncommand = ["off"]\n' +
  '[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\n';
const isLocal = 'is_local = true\ncheck_interval = 1\n';

export function hostOf(more = ''): Configuration {
  return { ...configurationFrom(`${office}${isLocal}${text}${more}`), inContainer: false };
}

export const full = { chargePercent: 100, runtimeSeconds: 3_000 };
export const nearlyLow = { chargePercent: 22, runtimeSeconds: 3_000 };
export const low = { chargePercent: 18, runtimeSeconds: 3_000 };

/** A configuration that policy cannot read while `isBroken`; nobody else is hindered, unless `readers` says so. */
export class Bug {
  isBroken = false;
  readonly #readers: RegExp;

  /** Files. */
  constructor(readers = /\/supervisor\/policy\//) {
    this.#readers = readers;
  }

  /** `name`: only of this UPS. */
  in(configuration: Configuration, field: string, name?: string): Configuration {
    const ups = configuration.ups.map((one) =>
      name === undefined || one.policy.name === name
        ? { ...one, policy: this.#unreadable(one.policy, field) }
        : one,
    );
    return { ...configuration, ups };
  }

  /** Of the redundancy groups. */
  inGroups(configuration: Configuration, field: string): Configuration {
    const redundancyGroups = configuration.redundancyGroups.map((one) => ({
      ...one,
      policy: this.#unreadable(one.policy, field),
    }));
    return { ...configuration, redundancyGroups };
  }

  #unreadable<T extends object>(settings: T, field: string): T {
    const value = (settings as Record<string, unknown>)[field];
    const get = (): unknown => {
      const by = new Error().stack?.split('\n')[2] ?? '';
      if (this.isBroken && this.#readers.test(by)) throw new Error(`policy cannot read ${field}`);
      return value;
    };
    return Object.defineProperty({ ...settings }, field, { get, enumerable: true });
  }
}

/** Every reading throws; ticks do not. */
export const ofReadings = 'grace';
/** Ticks throw too. */
export const ofAll = 'checkIntervalMs';

export function siteWith(bug: Bug, configuration = hostOf(), field = ofReadings): ThrowingSite {
  return new ThrowingSite(bug.in(configuration, field), 'before', () => false);
}

export const shutsDown = ['remote_servers/nas', 'off'];
export const done = ({ done: all }: ThrowingSite) => all.filter((one) => shutsDown.includes(one));
