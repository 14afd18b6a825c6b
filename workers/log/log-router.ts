// Turns records into lines: redaction removes the secrets, bunyan filters by level and passes the record to every sink,
// and each sink formats it. Never waits.
import bunyan from 'bunyan';
import type { LogLevel, LogRecord } from '../../shared/domain/status/log-record.js';
import type { LogSettings } from '../../shared/protocol/log.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Redact } from './redaction.js';
import { redactor } from './redaction.js';
import type { SinkOptions } from './sink.js';
import { Sink } from './sink.js';
import { Tail } from './tail.js';
import { textLine } from './text.js';

export type SinkFactory = Pick<SinkOptions, 'outlet' | 'bounds' | 'retry'> & {
  /** The form of a record for each format of the configuration. */
  readonly forms: Readonly<Record<LogSettings['format'], SinkOptions['form']>>;
};

/** The possible sinks. The router decides which are open. */
export interface OutletFactories {
  standardError(): SinkFactory;
  file(path: string): SinkFactory;
  syslog(address: string, facility: string): SinkFactory;
}

/** For the waiting lines of a sink that is turned off. */
const drainMs = 2000;

const bunyanLevels = { debug: 'debug', info: 'info', warning: 'warn', error: 'error' } as const;

export class LogRouter {
  readonly #outlets: OutletFactories;
  readonly #clock: Clock;
  #settings: LogSettings;
  #redact: Redact;
  readonly #standardError: Sink;
  #file: Sink | undefined;
  #syslog: Sink | undefined;
  #bunyan: bunyan;
  readonly #tail = new Tail();
  /** Lines lost by closed sinks, and the losses reported so far. */
  #lostBefore = 0;
  #lostReported = 0;

  constructor(settings: LogSettings, outlets: OutletFactories, clock: Clock) {
    this.#outlets = outlets;
    this.#clock = clock;
    this.#settings = settings;
    this.#redact = redactor(settings.secrets);
    this.#standardError = this.#open(outlets.standardError());
    this.#openFile();
    this.#openSyslog();
    this.#bunyan = this.#bunyanOver(this.#sinks);
  }

  /** Queues the records in order, after `dropped` lost ones. Returns how many lines sinks have lost since the last call. */
  write(records: readonly LogRecord[], dropped: number): number {
    if (dropped > 0) {
      const message = `${String(dropped)} log lines lost before this one: the supervisor's log queue was full`;
      for (const sink of this.#sinks) sink.write(this.#own('warning', message));
    }
    for (const record of records)
      this.#bunyan[bunyanLevels[record.level]]({ record: this.#redact(record) }, record.message);
    const lost = this.#sinks.reduce((sum, sink) => sum + sink.totalLost, this.#lostBefore);
    const since = lost - this.#lostReported;
    this.#lostReported = lost;
    return since;
  }

  /** The last lines, oldest first. A secret that came with a later configuration is removed from them too. */
  tail(): readonly string[] {
    const record = { timestamp: 0, level: 'info', logger: '' } as const;
    return this.#tail.lines.map((message) => this.#redact({ ...record, message }).message);
  }

  /** Applies new settings; an unchanged sink keeps its lines and its descriptor. */
  reconfigure(settings: LogSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    this.#redact = redactor(settings.secrets);
    if (settings.file !== before.file) {
      this.#retire(this.#file);
      this.#openFile();
    }
    if (JSON.stringify(settings.syslog) !== JSON.stringify(before.syslog)) {
      this.#retire(this.#syslog);
      this.#openSyslog();
    }
    this.#bunyan = this.#bunyanOver(this.#sinks);
  }

  reopenFile(): void {
    this.#file?.reopen();
  }

  /** Resolves when every line is written, or after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.close(withinMs)));
  }

  get #sinks(): readonly Sink[] {
    return [this.#standardError, this.#file, this.#syslog].filter((sink) => sink !== undefined);
  }

  #openFile(): void {
    const { file } = this.#settings;
    this.#file = file === null ? undefined : this.#open(this.#outlets.file(file));
  }

  #openSyslog(): void {
    const { syslog } = this.#settings;
    this.#syslog =
      syslog === null ? undefined : this.#open(this.#outlets.syslog(syslog.address, syslog.facility));
  }

  #open({ outlet, bounds, retry, forms }: SinkFactory): Sink {
    const sink: Sink = new Sink({
      outlet,
      ...(bounds === undefined ? {} : { bounds }),
      ...(retry === undefined ? {} : { retry }),
      form: (record) => forms[this.#settings.format](record),
      report: (level, message) => {
        for (const other of this.#sinks) if (other !== sink) other.write(this.#own(level, message));
      },
      lostRecord: (message) => this.#own('warning', message),
    });
    return sink;
  }

  #retire(sink: Sink | undefined): void {
    this.#lostBefore += sink?.totalLost ?? 0;
    void sink?.close(drainMs);
  }

  #own(level: LogLevel, message: string): LogRecord {
    return this.#redact({ timestamp: this.#clock.wallSeconds(), level, logger: 'log', message });
  }

  #keep(record: LogRecord): void {
    this.#tail.push(textLine(record));
  }

  #bunyanOver(sinks: readonly Sink[]): bunyan {
    return bunyan.createLogger({
      name: 'ridethrough',
      streams: [...sinks.map((sink) => sink.write.bind(sink)), this.#keep.bind(this)].map((write) => ({
        type: 'raw',
        level: bunyanLevels[this.#settings.level],
        stream: { write: (raw: object) => write((raw as { record: LogRecord }).record) },
      })),
    });
  }
}
