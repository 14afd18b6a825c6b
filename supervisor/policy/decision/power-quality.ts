// Voltage, phases and battery anomaly after a good reading. Nothing here is a trigger.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import { anomalyAfter, noAnomaly } from '../power/anomaly.js';
import type { PolicyClock } from '../base/clock.js';
import type { UpsSettings } from '../base/inputs.js';
import type { AcceptedReading } from '../power/readings.js';
import { phaseLossAfter } from '../power/phase-loss.js';
import type { Fact } from '../view/events.js';
import { phaseFacts, voltageFacts } from '../view/quality-facts.js';
import type { UpsMemory } from '../state/ups-state.js';
import { voltageAfter } from '../power/voltage.js';

export type Quality = Pick<UpsMemory, 'voltage' | 'phaseLoss' | 'anomaly'>;

export function qualityAfter(
  before: Quality,
  { reading, source }: AcceptedReading,
  mainsVoltage: MainsVoltage,
  declaredPhases: number,
  policy: UpsSettings,
  hysteresisMs: number,
  now: PolicyClock,
): Quality & { readonly facts: readonly Fact[] } {
  const { chargePercent } = reading;
  const nowMs = now.monotonicMs;
  const { highestVolts, lowestVolts, nominalVolts } = mainsVoltage;
  const mains = { highestVolts, lowestVolts, nominalVolts, onLine: source === 'line' };
  const sensitivity = policy.triggers.voltageSensitivity;
  const { voltage, changes } = voltageAfter(before.voltage, mains, sensitivity, hysteresisMs, nowMs);
  const { phaseLoss, changes: phases } = phaseLossAfter(
    before.phaseLoss,
    mainsVoltage,
    declaredPhases,
    nowMs,
  );
  const { anomaly, fall } =
    source === 'line' && chargePercent !== null
      ? anomalyAfter(before.anomaly, { atMs: nowMs, percent: chargePercent })
      : { anomaly: source === 'battery' ? noAnomaly : before.anomaly, fall: null };
  const facts: Fact[] = [];
  for (const change of changes) facts.push(...voltageFacts(change, mainsVoltage));
  if (phases !== null) facts.push(...phaseFacts(phases, mainsVoltage));
  if (fall !== null) facts.push({ type: 'BATTERY_ANOMALY', ...fall });
  return { voltage, phaseLoss, anomaly, facts };
}
