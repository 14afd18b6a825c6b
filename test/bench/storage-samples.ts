// Samples like those of real UPSes: slow changes with some noise; one UPS in 16 reports no power.
import type { SampleRecord } from '../../shared/protocol/storage.js';

/** The default of `statistics.flush_interval`. */
export const flushSeconds = 10;

function sampleOf(ups: number, second: number): SampleRecord {
  const wave = (period: number, from: number, to: number): number =>
    from + ((to - from) * (1 + Math.sin((second + ups * 977) / period))) / 2;
  const noise = ((second * 7919 + ups * 104_729) % 100) / 100;
  const values = [
    wave(20_000, 40, 100),
    Math.round(wave(20_000, 600, 5400)),
    wave(700, 15, 70) + noise,
    wave(3000, 224, 238) + noise,
    230 + noise,
    wave(20_000, 24.2, 27.4),
    50 + noise / 10,
    50,
    wave(40_000, 21, 34),
    ups % 16 === 0 ? null : wave(700, 150, 900),
    0,
  ];
  // Polls do not fall on the full second.
  return { groupId: groupOf(ups), at: second + 0.1 + (ups % 50) / 100 + noise / 100, values, status: 'OL' };
}

export function groupOf(ups: number): string {
  return `ups-${String(ups)}`;
}

export function flushOf(upsCount: number, from: number): SampleRecord[] {
  return Array.from({ length: upsCount * flushSeconds }, (_, index) =>
    sampleOf(1 + (index % upsCount), from + Math.floor(index / upsCount)),
  );
}
