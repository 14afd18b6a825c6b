// What every device must do in policy on a clock of the test, its dump read by the decoder of the poller: nothing on line power,
// and in an outage its sequence after a threshold and before its battery ends. golden.txt has the seconds of those it names.
import { expect } from 'chai';
import { readingOf } from '../../workers/poller/reading/reading.js';
import { fileOf, golden, linesOf, settings } from './golden.js';
import { DeviceDaemon, outageOf } from './play.js';
import type { Grain } from './shown.js';
import { grainOfDump, lastsSeconds, onBattery, onLine } from './shown.js';
import type { DeviceDump } from '../fixtures/device-dumps.js';

/** Gauges that are coarser than those of the dumps, and drivers that hold what they read. */
const grains: Readonly<Record<string, Grain>> = {
  '1 %, held for 32 s': { chargePoints: 1, runtimeSeconds: 1, heldSeconds: 32 },
  '5 % and a minute': { chargePoints: 5, runtimeSeconds: 60, heldSeconds: 0 },
  '10 % and a minute, held for 32 s': { chargePoints: 10, runtimeSeconds: 60, heldSeconds: 32 },
  '20 % and a minute, held for 62 s': { chargePoints: 20, runtimeSeconds: 60, heldSeconds: 62 },
  '25 % and a minute, held for 62 s': { chargePoints: 25, runtimeSeconds: 60, heldSeconds: 62 },
};

const daySeconds = 24 * 3600;
/** The longest `check_interval`: a day of polls a second would take a minute. */
const rarelySeconds = 30;
/** Of `[triggers]`, by default. */
const [lowPercent, criticalSeconds, extendedSeconds] = [20, 600, 900];

/** The first second at which the device shows a value below its threshold, LB or FSD; null for never. */
function firstThreshold({ variables }: DeviceDump, grain: Grain, hasTime: boolean): number | null {
  const zeroOnLine = (name: string) => Number(variables[name]) === 0;
  for (let second = 1; second <= lastsSeconds; second += 1) {
    const shown = onBattery(variables, second, grain);
    const { status, chargePercent, runtimeSeconds } = readingOf(shown);
    if (status.includes('LB') || status.includes('FSD')) return second;
    if (chargePercent !== null && chargePercent < lowPercent && !zeroOnLine('battery.charge')) return second;
    if (runtimeSeconds !== null && runtimeSeconds < criticalSeconds && !zeroOnLine('battery.runtime'))
      return second;
    if (hasTime && second > extendedSeconds) return second;
  }
  return null;
}

export function testOutagesOf(dumps: readonly DeviceDump[]): void {
  it('shut nothing down in 24 hours on line power', () => {
    const daemon = new DeviceDaemon(dumps.length, `interval=${String(rarelySeconds)}s`);
    const line = dumps.map(({ variables }) => onLine(variables));
    daemon.play(daySeconds, rarelySeconds, (place) => line[place] ?? {});
    expect(dumps.filter((_, place) => daemon.started(place) !== null).map(({ file }) => file)).to.deep.equal(
      [],
    );
  });

  it('start in time, by the trigger and at the second of the table', () => {
    const usual = outageOf(dumps, settings.usual, grainOfDump);
    const withoutTime = outageOf(dumps, settings.withoutTime, grainOfDump);
    expect(wrong(dumps, usual, grainOfDump, true)).to.deep.equal([]);
    expect(wrong(dumps, withoutTime, grainOfDump, false)).to.deep.equal([]);
    const known = golden();
    const lines = linesOf(dumps, usual, withoutTime).filter((line) => known.has(fileOf(line)));
    expect(lines).to.deep.equal(dumps.flatMap(({ file }) => known.get(file) ?? []));
  });

  for (const [gauge, grain] of Object.entries(grains))
    it(`start in time with a gauge of ${gauge}`, () => {
      const starts = outageOf(dumps, settings.withoutTime, grain);
      expect(wrong(dumps, starts, grain, false)).to.deep.equal([]);
    });
}

/** Those that did not start before their battery ended, or before a threshold was reached; and those without one that did. */
function wrong(
  dumps: readonly DeviceDump[],
  starts: ReturnType<typeof outageOf>,
  grain: Grain,
  hasTime: boolean,
): readonly string[] {
  return dumps.flatMap((dump, place) => {
    const threshold = firstThreshold(dump, grain, hasTime);
    const at = starts[place]?.atSeconds ?? null;
    const isInTime = threshold === null ? at === null : at !== null && at >= threshold && at < lastsSeconds;
    return isInTime ? [] : [`${dump.file}: ${String(at)} s, threshold at ${String(threshold)} s`];
  });
}
