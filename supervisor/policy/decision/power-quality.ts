// Voltage, phases and battery anomaly after a good reading. Nothing here is a trigger.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import { longestHoldMs } from '../../../shared/domain/triggers/hold.js';
import type { Variables } from '../../../shared/domain/ups/reading.js';
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
  { reading, source, askedMs }: AcceptedReading,
  mainsVoltage: MainsVoltage,
  variables: Variables,
  policy: UpsSettings,
  hysteresisMs: number,
  now: PolicyClock,
): Quality & { readonly facts: readonly Fact[] } {
  const { chargePercent } = reading;
  const nowMs = now.monotonicMs;
  const { highestVolts, lowestVolts, nominalVolts } = mainsVoltage;
  const mains = { highestVolts, lowestVolts, nominalVolts, onLine: source === 'line' };
  const sensitivity = policy.triggers.voltageSensitivity;
  const settings = { sensitivity, hysteresisMs, holdMs: longestHoldMs(variables, policy.holds) };
  const { voltage, changes } = voltageAfter(before.voltage, mains, settings, nowMs, askedMs);
  const { phaseLoss, changes: phases } = phaseLossAfter(
    before.phaseLoss,
    mainsVoltage,
    Number(variables['input.phases'] ?? 0),
    nowMs,
    askedMs,
  );
  const { anomaly, fall } =
    source === 'line' && chargePercent !== null
      ? anomalyAfter(before.anomaly, { atMs: askedMs, percent: chargePercent })
      : { anomaly: source === 'battery' ? noAnomaly : before.anomaly, fall: null };
  const facts: Fact[] = [];
  for (const change of changes) facts.push(...voltageFacts(change, mainsVoltage));
  if (phases !== null) facts.push(...phaseFacts(phases, mainsVoltage));
  if (fall !== null) facts.push({ type: 'BATTERY_ANOMALY', ...fall });
  return { voltage, phaseLoss, anomaly, facts };
}
