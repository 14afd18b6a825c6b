// A reading as a NUT server sends it: variables by name, as text.
import type { Reading, Variables } from '../../../shared/domain/ups/reading.js';

/** `others`: what the driver says of itself. */
export function variablesOf(reading: Reading, others: Variables): Variables {
  const values = {
    'battery.charge': reading.chargePercent,
    'battery.runtime': reading.runtimeSeconds,
    'ups.load': reading.loadPercent,
    'input.voltage': reading.inputVolts,
    'input.voltage.nominal': reading.nominalVolts,
  };
  const variables: Record<string, string> = { ...others, 'ups.status': reading.status.join(' ') };
  for (const [name, value] of Object.entries(values)) if (value !== null) variables[name] = String(value);
  return variables;
}
