// Voltage, phases and battery anomaly after a good reading. Nothing here is a trigger.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import { anomalyAfter, noAnomaly } from '../power/anomaly.js';
import type { PolicyClock } from '../base/clock.js';
import type { UpsSettings } from '../base/inputs.js';
import type { AcceptedReading } from '../power/readings.js';
import type { EffectCollector } from '../base/effect-collector.js';
import { phaseLossAfter } from '../power/phase-loss.js';
import { reportChargeDrop, reportPhases, reportVoltage } from '../view/power-quality-messages.js';
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
  effects: EffectCollector,
): Quality {
  const { chargePercent } = reading;
  const nowMs = now.monotonicMs;
  const { highestVolts, lowestVolts, nominalVolts } = mainsVoltage;
  const mains = { highestVolts, lowestVolts, nominalVolts, onLine: source === 'line' };
  const sensitivity = policy.triggers.voltageSensitivity;
  const { voltage, changes } = voltageAfter(before.voltage, mains, sensitivity, hysteresisMs, nowMs);
  for (const one of changes)
    effects.report('the report of a voltage', () => reportVoltage(one, mainsVoltage, policy, effects));
  const { phaseLoss, changes: phases } = phaseLossAfter(
    before.phaseLoss,
    mainsVoltage,
    declaredPhases,
    nowMs,
  );
  if (phases !== null)
    effects.report('the report of a phase', () => reportPhases(phases, mainsVoltage, policy, effects));
  if (source === 'battery') return { voltage, phaseLoss, anomaly: noAnomaly };
  if (source !== 'line' || chargePercent === null) return { voltage, phaseLoss, anomaly: before.anomaly };
  const step = anomalyAfter(before.anomaly, { atMs: nowMs, percent: chargePercent });
  effects.report('the report of a battery anomaly', () => reportChargeDrop(step, policy, effects));
  return { voltage, phaseLoss, anomaly: step.anomaly };
}
