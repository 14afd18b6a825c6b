// A report as rows of a table: one for each UPS.
import type { Report } from '../../../shared/domain/outage/report.js';
import { timeOf } from '../http/csv.js';

type Cell = string | number | null;

const columns: readonly (readonly [string, (ups: Report['ups'][number]) => Cell])[] = [
  ['ups', ({ ups }) => ups],
  ['label', ({ label }) => label],
  ['watched_seconds', ({ watchedSeconds }) => Math.round(watchedSeconds)],
  ['read_seconds', ({ readSeconds }) => Math.round(readSeconds)],
  ['unseen_seconds', ({ unseenSeconds }) => Math.round(unseenSeconds)],
  ['on_battery_seconds', ({ onBatterySeconds }) => Math.round(onBatterySeconds)],
  ['test_seconds', ({ testSeconds }) => Math.round(testSeconds)],
  ['outages', ({ outages }) => outages],
  ['lowest_volts', ({ lowestVolts }) => lowestVolts?.value ?? null],
  ['highest_volts', ({ highestVolts }) => highestVolts?.value ?? null],
  ['lowest_charge', ({ lowestCharge }) => lowestCharge?.value ?? null],
  ['mean_load', ({ meanLoad }) => roundValue(meanLoad)],
  ['highest_load', ({ highestLoad }) => highestLoad?.value ?? null],
  ['energy_kwh', ({ energyKwh }) => roundValue(energyKwh)],
  ['cost', ({ cost }) => roundValue(cost)],
  ['energy_estimated', ({ energyEstimated }) => String(energyEstimated)],
  ['power_factor', ({ powerFactor }) => powerFactor],
  ['energy_partial', ({ energyPartial }) => String(energyPartial)],
  ['battery_score', ({ battery }) => battery?.score ?? null],
  ['replacement_due', ({ battery }) => (battery === null ? null : String(battery.replacementDue))],
  ['tests_passed', ({ tests }) => tests.passed],
  ['tests_failed', ({ tests }) => tests.failed],
];

export function reportRows({ from, to, ups }: Report): readonly (readonly Cell[])[] {
  return [
    ['from', 'to', ...columns.map(([name]) => name)],
    ...ups.map((one) => [timeOf(from), timeOf(to), ...columns.map(([, cell]) => cell(one))]),
  ];
}

function roundValue(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}
