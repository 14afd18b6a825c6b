// A reading without a value: what a driver tells that knows nothing yet.
import type { Reading } from '../../shared/domain/reading.js';

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
