// The time that the battery gave, as policy knows it and as the reserve does: each goes on from the other's where its own is lost or
// old. Pure.
import type { BatteryTime } from '../policy/power/battery-time.js';
import type { BatteryTime as Sum } from '../reserve/battery-time.js';

const rates = { gives: 1, charges: -0.1, rests: 0 } as const;

export function sumOf({ sumMs: ms, sinceMs, use, fullPercent, gauge, fullSinceMs }: BatteryTime): Sum {
  return { ms, atMs: sinceMs, rate: rates[use], sinceMs, full: fullPercent, fullMs: fullSinceMs, gauge };
}

export function batteryTimeOf({ ms, atMs, rate, full, fullMs, gauge }: Sum): BatteryTime {
  const use = rate > 0 ? 'gives' : rate < 0 ? 'charges' : 'rests';
  return { sumMs: ms, sinceMs: atMs, use, fullPercent: full, gauge, fullSinceMs: fullMs };
}
