// A reading without any value, as of a driver that has no data yet.
import type { Reading } from '../../shared/domain/ups/reading.js';

export const emptyReading: Reading = {
  status: [],
  chargePercent: null,
  runtimeSeconds: null,
  loadPercent: null,
  inputVolts: null,
  outputVolts: null,
  batteryVolts: null,
  inputHertz: null,
  outputHertz: null,
  temperatureCelsius: null,
  nominalVolts: null,
  realPowerWatts: null,
};
