// A log file of upslog as a source of history.
import type { FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { MetricName } from '../../../../shared/domain/status/metrics.js';
import { metricOf, metrics } from '../../../../shared/domain/status/metrics.js';
import {
  celsius,
  charge,
  hertz,
  load,
  numberOf,
  runtime,
  volts,
  watts,
} from '../../../../shared/domain/ups/quantity.js';
import type { QuantityParser } from '../../../../shared/domain/ups/quantity.js';
import { causePrefix } from '../../../../shared/domain/outage/outage.js';
import type { OutageCause } from '../../../../shared/domain/outage/outage.js';
import { statusWords } from '../../../../shared/domain/ups/status-words.js';
import type { HistorySink, HistorySource } from '../history-sink.js';
import { ImportError } from '../history-sink.js';
import { OutagesSeen } from '../outages-seen.js';
import type { ReadLine } from './line-format.js';
import { LineFormat } from './line-format.js';
import type { FileLine } from './lines.js';
import { maxLineBytes, readLines } from './lines.js';
import { LocalTimes } from './local-times.js';

/** Twenty years of a line every ten seconds. */
const maxFileBytes = 8 * 1024 ** 3;
/** Longer than the intervals that people give to upslog: the host was off meanwhile. */
const gapSeconds = 900;

const quantities: Readonly<Record<string, readonly [QuantityParser, MetricName]>> = {
  'battery.charge': [charge, 'charge'],
  'battery.runtime': [runtime, 'runtime'],
  'ups.load': [load, 'load'],
  'input.voltage': [volts, 'voltage'],
  'output.voltage': [volts, 'output_voltage'],
  'battery.voltage': [volts, 'battery_voltage'],
  'input.frequency': [hertz, 'frequency'],
  'output.frequency': [hertz, 'output_frequency'],
  'battery.temperature': [celsius, 'temperature'],
  'ups.temperature': [celsius, 'temperature'],
  'ups.realpower': [watts, 'real_power'],
};
const numbers = new Map(metrics.map(({ name }, number) => [name, number]));
const [chargeNumber, runtimeNumber] = [metricOf('charge').number, metricOf('runtime').number];

/** `isOwn`: whether a line that names its UPS is of the one that is filled. */
export type IsOwn = (upsHost: string) => boolean;

export class UpslogFile implements HistorySource {
  readonly source = 'upslog';
  readonly unit = 'lines';
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #format: LineFormat;
  readonly #isOwn: IsOwn;

  private constructor(file: FileHandle, size: number, format: LineFormat, isOwn: IsOwn) {
    this.#file = file;
    this.#size = size;
    this.#format = format;
    this.#isOwn = isOwn;
  }

  /** Throws a UsageError for the format, an ImportError for the file. */
  static async open(path: string, format: string, isOwn: IsOwn): Promise<UpslogFile> {
    const lines = new LineFormat(format);
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
      throw new ImportError(error instanceof Error ? error.message : String(error));
    });
    const stats = await file.stat();
    const fault = !stats.isFile()
      ? `${path} is no regular file; it is read twice`
      : stats.size > maxFileBytes
        ? `${path} is larger than ${String(maxFileBytes / 1024 ** 3)} GiB: divide it (split -C 4G)`
        : null;
    if (fault === null) return new UpslogFile(file, stats.size, lines, isOwn);
    await file.close();
    throw new ImportError(fault);
  }

  async read(sink: HistorySink, pause: () => Promise<boolean>): Promise<number> {
    const reader = new LogReader(sink, this.#format, this.#isOwn);
    const lines = await readLines(this.#file, this.#size, (line) => reader.take(line), pause);
    reader.finish();
    return lines;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** One pass. */
class LogReader {
  readonly #sink: HistorySink;
  readonly #format: LineFormat;
  readonly #isOwn: IsOwn;
  readonly #times = new LocalTimes();
  readonly #outages: OutagesSeen;
  #previous = -Infinity;
  /** Of the line before: most lines have the same. */
  #status = '';
  #words: readonly string[] = [];

  constructor(sink: HistorySink, format: LineFormat, isOwn: IsOwn) {
    this.#sink = sink;
    this.#format = format;
    this.#isOwn = isOwn;
    this.#outages = new OutagesSeen(sink);
  }

  take({ text, number, isWhole }: FileLine): void {
    if (text === '') return;
    const fault = text === null ? `longer than ${String(maxLineBytes)} bytes` : this.#takeText(text);
    if (fault === null) return;
    // The power may have gone while it was written, and upslog may be writing it now.
    if (isWhole) this.#sink.problem(`line ${String(number)}`, fault);
    else this.#sink.omitted();
  }

  finish(): void {
    this.#outages.finish();
  }

  #takeText(text: string): string | null {
    if (text.includes('\0')) return 'NUL bytes: the file system lost what was written last before a crash';
    const line = this.#format.read(text);
    if (typeof line === 'string') return `${line}, found ${JSON.stringify(text.slice(0, 60))}`;
    if (line.upsHost !== null && !this.#isOwn(line.upsHost)) {
      this.#sink.foreign(line.upsHost);
      return null;
    }
    const at = this.#times.at(line.time, this.#previous);
    if (at === null)
      return `${text.slice(0, 30)}: this local time does not exist in the time zone ${zone()}. TZ=... of the log?`;
    const values = valuesOf(line);
    if (typeof values === 'string') return values;
    this.#previous = at;
    this.#follow(at, this.#wordsOf(line.variables.get('ups.status') ?? ''), values);
    if (values.some((value) => value !== null)) this.#sink.reading(at, values);
    return null;
  }

  #wordsOf(status: string): readonly string[] {
    if (status !== this.#status) [this.#status, this.#words] = [status, statusWords(status)];
    return this.#words;
  }

  /** Outages, where the log has the status. */
  #follow(at: number, words: readonly string[], values: readonly (number | null)[]): void {
    const outages = this.#outages;
    const last = outages.last;
    if (last !== undefined && (at < last || at - last > gapSeconds)) outages.end(null);
    if (words.includes('OB')) {
      if (outages.last === undefined) {
        const cause: OutageCause = words.includes('CAL')
          ? 'calibration'
          : words.includes('TEST')
            ? 'self-test'
            : 'outage';
        outages.begin(at, cause);
        this.#sink.event(at, 'ON_BATTERY', causePrefix(cause === 'outage' ? null : cause).replace(/: $/, ''));
      }
      outages.reading(at, values[chargeNumber] ?? null, values[runtimeNumber] ?? null);
    } else if (words.includes('OL') && outages.last !== undefined) {
      outages.end(at);
      this.#sink.event(at, 'POWER_RESTORED', '');
    }
  }
}

/** One value for each metric; or what was expected. A value outside physics is missing, as is a charge of 0 on line power. */
function valuesOf({ variables }: ReadLine): readonly (number | null)[] | string {
  const values: (number | null)[] = metrics.map(() => null);
  for (const [name, text] of variables) {
    const known = quantities[name];
    if (known === undefined || text === 'NA' || text === '') continue;
    const [quantity, metric] = known;
    const value = quantity(text);
    if (value === null && numberOf(text) === null)
      return `${name}: expected a number or NA, found ${JSON.stringify(text.slice(0, 60))}`;
    const isUnlikely = value === 0 && (metric === 'charge' || metric === 'runtime');
    if (!isUnlikely || !isOnLine(variables.get('ups.status') ?? ''))
      values[numbers.get(metric) ?? -1] = value;
  }
  return values;
}

function isOnLine(status: string): boolean {
  return /\bOL\b/.test(status) && !/\b(?:OB|FSD)\b/.test(status);
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
