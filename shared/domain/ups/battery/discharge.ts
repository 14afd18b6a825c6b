// The curve of one discharge while it is recorded: at most one point a second, and of a long one fewer. Pure.

/** `seconds` since the start, counted while on battery. `wh`: drawn since the start; null without a known power. */
export interface CurvePoint {
  readonly seconds: number;
  readonly charge: number | null;
  readonly volts: number | null;
  readonly load: number | null;
  readonly wh: number | null;
}

/** Of a curve that is kept. */
export const maxCurvePoints = 200;
/** While it is recorded: with the last sample, half of them are `maxCurvePoints`. */
const maxRecorded = 2 * maxCurvePoints - 2;
const minSpacingSeconds = 1;

/** One sample on battery. */
export interface DischargeSample {
  readonly atMs: number;
  readonly charge: number | null;
  readonly volts: number | null;
  readonly load: number | null;
  readonly watts: number | null;
}

export interface Recording {
  readonly startedMs: number;
  /** The last sample counted; null after an interruption, which counts no time. */
  readonly last: DischargeSample | null;
  readonly lastMs: number;
  readonly seconds: number;
  readonly joules: number | null;
  readonly spacingSeconds: number;
  readonly points: readonly CurvePoint[];
}

export function beginRecording(sample: DischargeSample): Recording {
  const { atMs, watts } = sample;
  const begun = {
    startedMs: atMs,
    lastMs: atMs,
    last: sample,
    seconds: 0,
    joules: watts === null ? null : 0,
  };
  return { ...begun, spacingSeconds: minSpacingSeconds, points: [pointOf(0, sample, begun.joules)] };
}

/** With the next sample. A clock that was set back adds no time; a power that is not known ends the sum. */
export function addSample(recording: Recording, sample: DischargeSample): Recording {
  const { last, spacingSeconds, points } = recording;
  const step = last === null ? 0 : Math.max(0, (sample.atMs - last.atMs) / 1000);
  const seconds = roundTo(recording.seconds + step, 1000);
  const joules =
    recording.joules === null || sample.watts === null
      ? null
      : recording.joules + (((last?.watts ?? sample.watts) + sample.watts) / 2) * step;
  const next = { ...recording, last: sample, lastMs: sample.atMs, seconds, joules };
  const isDue = seconds - (points.at(-1)?.seconds ?? 0) >= spacingSeconds;
  if (!isDue) return next;
  const all = [...points, pointOf(seconds, sample, joules)];
  return all.length <= maxRecorded
    ? { ...next, points: all }
    : { ...next, points: everySecond(all), spacingSeconds: 2 * spacingSeconds };
}

/** Power was back for a moment. */
export function addInterruption(recording: Recording): Recording {
  return { ...recording, last: null };
}

/** The curve to keep, with the last sample as its last point. */
export function curveOf({ points, last, seconds, joules }: Recording): readonly CurvePoint[] {
  const isLast = last === null || points.at(-1)?.seconds === seconds;
  const all = isLast ? points : [...points, pointOf(seconds, last, joules)];
  return all.length > maxCurvePoints ? everySecond(all) : all;
}

/** Half of the points, with the first and the last. */
function everySecond(points: readonly CurvePoint[]): readonly CurvePoint[] {
  return points.filter((_, place) => (points.length - 1 - place) % 2 === 0 || place === 0);
}

function pointOf(seconds: number, sample: DischargeSample, joules: number | null): CurvePoint {
  const { charge, volts, load } = sample;
  const short = (value: number | null, scale: number): number | null =>
    value === null ? null : roundTo(value, scale);
  return {
    seconds: roundTo(seconds, 10),
    charge: short(charge, 100),
    volts: short(volts, 100),
    load: short(load, 10),
    wh: short(joules === null ? null : joules / 3600, 1000),
  };
}

function roundTo(value: number, scale: number): number {
  return Math.round(value * scale) / scale;
}
