// What a good reading says of the mains and of the battery's rest: voltage and battery anomaly. Nothing here is a trigger.
import { anomalyAfter, noAnomaly } from './anomaly.js';
import type { PolicyClock } from './clock.js';
import type { UpsPolicy } from './inputs.js';
import type { Seen } from './readings.js';
import type { Said } from './effect-collector.js';
import { tellFall, tellVoltage } from './quality-messages.js';
import type { UpsMemory } from './ups-state.js';
import { voltageAfter } from './voltage.js';

export type Quality = Pick<UpsMemory, 'voltage' | 'anomaly'>;

export function qualityAfter(
  before: Quality,
  { reading, source }: Seen,
  policy: UpsPolicy,
  hysteresisMs: number,
  now: PolicyClock,
  said: Said,
): Quality {
  const { inputVolts, nominalVolts, chargePercent } = reading;
  const nowMs = now.monotonicMs;
  const mains = { onLine: source === 'line', inputVolts, nominalVolts };
  const sensitivity = policy.triggers.voltageSensitivity;
  const { voltage, news } = voltageAfter(before.voltage, mains, sensitivity, hysteresisMs, nowMs);
  if (inputVolts !== null) for (const one of news) tellVoltage(one, inputVolts, policy, said);
  if (source === 'battery') return { voltage, anomaly: noAnomaly };
  if (source === 'neither' || chargePercent === null) return { voltage, anomaly: before.anomaly };
  const step = anomalyAfter(before.anomaly, { atMs: nowMs, percent: chargePercent });
  tellFall(step, policy, said);
  return { voltage, anomaly: step.anomaly };
}
