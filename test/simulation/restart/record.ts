// The recovery record of a simulated daemon: the real one, on a disk that answers late or never, over boots of its machine.
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { RestartPart } from '../../../supervisor/daemon/restart-part.js';
import type { ShutdownEngine } from '../../../supervisor/engine/engine.js';
import { groupsOnBattery } from '../../../supervisor/policy/decision/power.js';
import { initialState } from '../../../supervisor/policy/state/state.js';
import type { GroupState } from '../../../supervisor/recovery/group-record.js';
import { Recovery } from '../../../supervisor/recovery/recovery.js';
import { powersOffHost } from '../../../supervisor/sequence/journal/fold.js';
import { noPowerOff } from '../../../supervisor/sequence/journal/power-off-record.js';
import type { HostRestarts } from '../../../supervisor/sequence/restart-rule.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import type { Machine } from '../machine.js';
import type { Site } from '../scenario.js';

export interface RecordOptions {
  readonly machine: Machine;
  /** Null: the disk never answers. */
  readonly diskMs: number | null;
  /** A promise of the daemon may settle. */
  readonly settled: () => void;
}

export interface RecordedDaemon {
  readonly configuration: Configuration;
  readonly isAlive: () => boolean;
  readonly engine: () => ShutdownEngine | undefined;
}

export interface RecordedRestarts {
  readonly restarts: HostRestarts;
  tick(): void;
}

export class RestartRecord {
  readonly #options: RecordOptions;
  readonly #disk = new Map<string, string>();
  /** On the tmpfs, of this boot. */
  #copy: unknown = null;

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  anotherBoot(): void {
    this.#copy = null;
  }

  begin({ configuration, isAlive, engine }: RecordedDaemon): RecordedRestarts {
    const { machine } = this.#options;
    const later = <T>(value: () => T): Promise<T> => this.#later(isAlive, value);
    const restarts = new RestartPart({
      clock: machine,
      configuration: () => configuration,
      engine: () => engine() ?? { state: initialState, trouble: null },
      recovery: () => recovery,
      isInOutage: (group) => this.#isInOutage(group, engine()),
    });
    const recovery = new Recovery({
      clock: machine,
      log: idleLog,
      identity: () => ({
        ...{ machineId: 'm', configFile: '/c.toml', configHash: 'h', bootId: String(machine.boots) },
      }),
      file: {
        read: () => this.#copy,
        writeJson: (content) => {
          if (isAlive()) this.#copy = JSON.parse(Buffer.concat(content).toString());
          return true;
        },
      },
      recorder: {
        keep: (group, text) =>
          later(() => {
            this.#disk.set(group, text);
            return { ok: true, value: {} } as const;
          }),
        setAside: () => later(() => ({ ok: true, value: {} }) as const),
        recall: () =>
          later(() => {
            const records = [...this.#disk].map(([group, text]) => ({ group, text }));
            return { ok: true, value: { records, locked: true, reason: null } } as const;
          }),
      },
      facts: () => this.#facts(configuration, engine(), restarts),
    });
    return { restarts, tick: () => recovery.tick() };
  }

  #facts(
    configuration: Configuration,
    engine: ShutdownEngine | undefined,
    restarts: RestartPart,
  ): readonly GroupState[] {
    const { machine } = this.#options;
    return plansOf(configuration)
      .filter(powersOffHost)
      .map(({ group }) => ({
        ...{ group, servers: [], feedsHost: true },
        onBattery: engine !== undefined && groupsOnBattery(engine.state).has(group),
        sequence: engine?.journal.of(group),
        powerOff: engine?.journal.powerOff ?? noPowerOff,
        lookAt: () => ({ before: 'unknown', answers: null, unixSeconds: null }),
        isOutputOff: () => false,
        guestEnd: () => null,
        ...{ nowMs: machine.monotonicMs(), nowUnixSeconds: machine.wallSeconds() },
        isSettled: restarts.followLinePower(group),
      }));
  }

  #isInOutage(group: string, engine: ShutdownEngine | undefined): boolean {
    if (engine === undefined) return true;
    return groupsOnBattery(engine.state).has(group) || engine.journal.of(group)?.over === null;
  }

  /** The recorder ends with its supervisor, and with the machine. */
  #later<T>(isAlive: () => boolean, value: () => T): Promise<T> {
    const { machine, diskMs, settled } = this.#options;
    return new Promise((resolve) => {
      if (diskMs === null) return;
      machine.after(diskMs, () => {
        if (!isAlive()) return;
        resolve(value());
        settled();
      });
    });
  }
}

/** Of a site; null: recovery is off. */
export function restartRecord(
  { restart }: Pick<Site, 'restart'>,
  machine: Machine,
  settled: () => void,
): RestartRecord | null {
  return restart === null ? null : new RestartRecord({ machine, diskMs: restart.diskMs, settled });
}
