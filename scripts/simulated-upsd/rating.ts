// The rating plate of the simulated UPS: values of a common line-interactive 1500 VA tower.

export interface Rating {
  readonly manufacturer: string;
  readonly model: string;
  readonly serial: string;
  readonly firmware: string;
  readonly apparentPowerVa: number;
  readonly realPowerWatts: number;
  readonly nominalVolts: number;
  readonly nominalHertz: number;
  readonly batteryVolts: number;
  /** A new, full battery under the full real power. */
  readonly fullLoadRuntimeSeconds: number;
  /** From empty to full. */
  readonly rechargeSeconds: number;
}

export const rating1500: Rating = {
  manufacturer: 'Ridethrough',
  model: 'Simulated LI-1500',
  serial: 'SIM0000001',
  firmware: '1.0',
  apparentPowerVa: 1500,
  realPowerWatts: 900,
  nominalVolts: 230,
  nominalHertz: 50,
  batteryVolts: 24,
  fullLoadRuntimeSeconds: 390,
  rechargeSeconds: 4 * 3600,
};
