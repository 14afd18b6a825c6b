// One UPS of the server: a device that a clock and a scenario drive, and the variables that upsd holds of it.
import type { Behaviour, BehaviourName, Moment } from './behaviours.js';
import { behaviourNames, behaviours } from './behaviours.js';
import type { Device } from './device.js';
import type { SimulatedDriver } from './model-device.js';
import { ModelDevice } from './model-device.js';
import { rating1500 } from './rating.js';
import type { DriverLink, ScenarioEvent, Scenario } from './scenario.js';
import type { DeviceTable } from './table-device.js';
import { TableDevice } from './table-device.js';
import type { TrackingResult } from './tracking.js';
import type { BatteryChange, Surroundings } from './ups-model.js';
import { stepSeconds } from './ups-model.js';
import { VariableStore } from './variable-store.js';

export interface UpsSpec {
  readonly name: string;
  readonly description?: string;
  readonly scenario?: Scenario;
  readonly seed?: number;
  /** 0: readings are constant on a steady line. */
  readonly noise?: 0 | 1;
  /** The driver whose meaning of `ups.delay.start` the UPS has. */
  readonly driver?: SimulatedDriver;
  /** What its device and driver do otherwise. */
  readonly behaviours?: readonly BehaviourName[];
  /** Instead of the physics. */
  readonly table?: DeviceTable;
}

/** A change for `set`. `variables` overrides those of the device; null removes one, undefined ends the override. */
export interface UpsChange extends Partial<Surroundings>, BatteryChange {
  readonly variables?: Readonly<Record<string, string | null | undefined>>;
  readonly fsd?: boolean;
  readonly link?: DriverLink;
}

/** One update runs at most this many steps (14 hours of the UPS, some tens of milliseconds). */
const maxStepsPerLook = 100_000;

export class SimulatedUps {
  readonly name: string;
  readonly description: string | undefined;
  readonly store: VariableStore;
  readonly device: Device;
  #link: DriverLink = 'ok';
  logins = 0;
  readonly #overrides = new Map<string, string | null>();
  readonly #behaviours: readonly Behaviour[];
  readonly #shown: readonly ReturnType<NonNullable<Behaviour['values']>>[];
  #onBatteryStep: number | null = null;
  #stepsDone = 0;
  #scenario: { readonly data: Scenario; readonly startStep: number; next: number } | undefined;

  constructor(
    spec: UpsSpec,
    /** Seconds of UPS time since the server started. */
    private readonly upsSeconds: () => number,
    /** Called for each scenario event. */
    private readonly onEvent: (says: string) => void = () => undefined,
  ) {
    this.name = spec.name;
    this.description = spec.description;
    this.device =
      spec.table === undefined
        ? new ModelDevice(rating1500, spec.seed ?? 1, spec.noise ?? 1, spec.driver)
        : new TableDevice(spec.table);
    this.#behaviours = behaviourNames
      .filter((name) => spec.behaviours?.includes(name))
      .map((name) => behaviours[name]);
    this.#shown = this.#behaviours.flatMap(({ values }) => values?.() ?? []);
    this.store = new VariableStore(spec.name, this.device.kinds);
    if (spec.scenario !== undefined) this.play(spec.scenario);
    this.#write();
  }

  get link(): DriverLink {
    const isStale = this.#behaviours.some((behaviour) => behaviour.isStale?.(this.#moment()) === true);
    return this.#link === 'ok' && isStale ? 'stale' : this.#link;
  }

  /** Catches up with the clock. Called before every read of the store, so an idle UPS costs nothing. */
  look(): void {
    const due = Math.floor(this.upsSeconds() / stepSeconds);
    if (due <= this.#stepsDone) return;
    const until = Math.min(due, this.#stepsDone + maxStepsPerLook);
    while (this.#stepsDone < until) {
      this.#applyEvent();
      this.device.step();
      this.#stepsDone += 1;
    }
    this.#write();
  }

  /** Starts a scenario from its beginning. */
  play(scenario: Scenario): void {
    this.look();
    this.#scenario = { data: scenario, startStep: this.#stepsDone, next: 0 };
    this.#applyEvent();
    this.#write();
  }

  /** Changes the UPS; the next query sees it. A running scenario continues. */
  set(change: UpsChange): void {
    this.look();
    this.#apply(change);
    this.#write();
  }

  /** The next event of the running scenario, and the seconds of the UPS until it; none after its last event. */
  next(): { readonly inSeconds: number; readonly says: string } | undefined {
    this.look();
    const event = this.#scenario?.data.events[this.#scenario.next];
    if (this.#scenario === undefined || event === undefined) return undefined;
    const elapsed = (this.#stepsDone - this.#scenario.startStep) * stepSeconds;
    return { inSeconds: event.atSeconds - elapsed, says: event.says };
  }

  command(name: string, parameter: string | undefined): TrackingResult {
    this.look();
    const outcome = this.device.command(name, parameter);
    this.#write();
    return outcome;
  }

  /** Writes a variable after upsd's checks. Ends an override of it. */
  write(name: string, value: string): TrackingResult {
    this.look();
    this.#overrides.delete(name.toLowerCase());
    this.device.write(name.toLowerCase(), value);
    this.#write();
    return 'SUCCESS';
  }

  #applyEvent(): void {
    const playing = this.#scenario;
    if (playing === undefined) return;
    const elapsed = (this.#stepsDone - playing.startStep) * stepSeconds;
    if (elapsed >= playing.data.lengthSeconds) {
      this.#scenario = { data: playing.data, startStep: this.#stepsDone, next: 0 };
      this.#applyEvent();
      return;
    }
    for (
      let due = playing.data.events[playing.next];
      due !== undefined && due.atSeconds <= elapsed;
      due = playing.data.events[playing.next]
    ) {
      playing.next += 1;
      this.#apply(due);
      this.onEvent(due.says);
    }
  }

  #apply(change: UpsChange & Partial<ScenarioEvent>): void {
    const { variables, fsd, link, command, atSeconds: _at, says: _says, ...physical } = change;
    const { chargePercent, batteryHealthPercent, replaceBattery, ...world } = physical;
    this.device.change(world, {
      ...(chargePercent === undefined ? {} : { chargePercent }),
      ...(batteryHealthPercent === undefined ? {} : { batteryHealthPercent }),
      ...(replaceBattery === undefined ? {} : { replaceBattery }),
    });
    if (fsd !== undefined) this.store.fsd = fsd;
    if (link !== undefined) this.#link = link;
    if (command !== undefined) this.device.command(command, undefined);
    for (const [name, value] of Object.entries(variables ?? {})) {
      if (value === undefined) this.#overrides.delete(name);
      else this.#overrides.set(name, value);
    }
  }

  #write(): void {
    const report = this.device.report();
    const isOnBattery = report['ups.status']?.split(' ').includes('OB') === true;
    this.#onBatteryStep = isOnBattery ? (this.#onBatteryStep ?? this.#stepsDone) : null;
    const shown = this.#shown.reduce((values, show) => show(values, this.#moment()), report);
    this.store.replace({ ...shown, ...Object.fromEntries(this.#overrides) });
  }

  #moment(): Moment {
    const since = this.#onBatteryStep;
    return {
      seconds: this.#stepsDone * stepSeconds,
      onBatterySeconds: since === null ? null : (this.#stepsDone - since) * stepSeconds,
    };
  }
}
