// The source of the load: the line (direct, boosted or trimmed) or the battery, and the transfers between them.

export type Sensitivity = 'low' | 'medium' | 'high';

export interface TransferSettings {
  readonly lowVolts: number;
  readonly highVolts: number;
  readonly sensitivity: Sensitivity;
}

/** Seconds the line must be good before the load transfers back to it. */
const requalifySeconds: Readonly<Record<Sensitivity, number>> = { low: 2, medium: 3, high: 5 };
/** Volts inside the limits that the line must reach before it counts as good again; keeps the relay from chattering. */
const hysteresisVolts = 4;
/** The autotransformer's two taps, and the deviation from nominal at which they are taken. */
const boostRatio = 1.12;
const trimRatio = 0.88;
const tapDeviation = 0.1;

export class Transfer {
  source: 'line' | 'battery' = 'line';
  tap: 'none' | 'boost' | 'trim' = 'none';
  reason = 'none yet';
  #goodSeconds = 0;

  constructor(private readonly nominalVolts: number) {}

  /** Selects the source after `seconds` with this input voltage; 0 seconds for a change with immediate effect. */
  decide(inputVolts: number, settings: TransferSettings, seconds: number): void {
    if (this.source === 'line') this.#fromLine(inputVolts, settings);
    else this.#fromBattery(inputVolts, settings, seconds);
    this.#chooseTap(inputVolts);
  }

  outputVolts(inputVolts: number): number {
    if (this.source === 'battery') return this.nominalVolts;
    return inputVolts * { none: 1, boost: boostRatio, trim: trimRatio }[this.tap];
  }

  #fromLine(inputVolts: number, settings: TransferSettings): void {
    if (inputVolts >= settings.lowVolts && inputVolts <= settings.highVolts) return;
    this.source = 'battery';
    this.#goodSeconds = 0;
    if (inputVolts > settings.highVolts) this.reason = 'line voltage high';
    else this.reason = inputVolts < 30 ? 'line power lost' : 'line voltage low';
  }

  #fromBattery(inputVolts: number, settings: TransferSettings, seconds: number): void {
    const good =
      inputVolts >= settings.lowVolts + hysteresisVolts && inputVolts <= settings.highVolts - hysteresisVolts;
    this.#goodSeconds = good ? this.#goodSeconds + seconds : 0;
    if (this.#goodSeconds >= requalifySeconds[settings.sensitivity]) this.source = 'line';
  }

  #chooseTap(inputVolts: number): void {
    const low = this.nominalVolts * (1 - tapDeviation);
    const high = this.nominalVolts * (1 + tapDeviation);
    if (this.source === 'battery') this.tap = 'none';
    else if (inputVolts < low) this.tap = 'boost';
    else if (inputVolts > high) this.tap = 'trim';
    else if (inputVolts > low + hysteresisVolts && inputVolts < high - hysteresisVolts) this.tap = 'none';
  }
}
