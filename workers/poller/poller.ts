// The schedule of polls: once every check_interval, at a fixed moment of it, one poll at a time; reading/ makes the reading of its
// answer. Knows no protocol; what a reading means is decided by policy.
import type { Reading, Variables } from '../../shared/domain/ups/reading.js';
import { withoutSecrets } from '../../shared/domain/ups/secret-variables.js';
import type { PollerSettings, UpsPolled } from '../../shared/protocol/poller.js';
import type { NutCredentials } from './wire/login.js';
import { lostDevice } from './reading/lost-device.js';
import { readingOf } from './reading/reading.js';
import type { NutAnswer } from './wire/errors.js';
import { failureOf } from './wire/errors.js';
import type { NutTransport } from './wire/transport.js';

export interface PollerDependencies {
  readonly monotonicMs: () => number;
  /** Runs `run` after `ms`; the result cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly transportOf: (settings: PollerSettings) => NutTransport;
  readonly polled: (report: UpsPolled) => void;
}

export class Poller {
  readonly #deps: PollerDependencies;
  #settings: PollerSettings;
  #transport: NutTransport;
  #lastStart: number | undefined;
  #polling = false;
  #stopped = false;
  #last: DecodedPoll | undefined;
  #cancelTimer = (): void => undefined;

  /** The first poll starts immediately, on the next turn of the event loop: the worker is ready before it reports. */
  constructor(deps: PollerDependencies, settings: PollerSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#transport = deps.transportOf(settings);
    this.#cancelTimer = deps.after(0, () => this.#arm());
  }

  /**
   * The next poll is due by the new interval. Only what is in `connectionKey` closes the connection; the result of a poll under way
   * on it is then dropped.
   */
  reconfigure(settings: PollerSettings): void {
    const mustReconnect = connectionKey(settings) !== connectionKey(this.#settings);
    this.#settings = settings;
    if (mustReconnect) {
      this.#transport.close();
      this.#transport = this.#deps.transportOf(settings);
      this.#polling = false;
    }
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
    this.#transport.close();
  }

  #arm(): void {
    this.#cancelTimer();
    if (this.#stopped || this.#polling) return;
    const early = this.#dueMs - this.#deps.monotonicMs();
    // A timer may fire slightly early: then it is set again. A late one starts one poll and skips the missed ones.
    if (early > 0) this.#cancelTimer = this.#deps.after(Math.ceil(early), () => this.#arm());
    else void this.#poll(this.#transport);
  }

  /** The next moment of this UPS, at least half an interval after the last poll: a late poll does not cause the next one to be skipped. */
  get #dueMs(): number {
    if (this.#lastStart === undefined) return 0;
    const { checkIntervalMs, pollOffsetMs } = this.#settings;
    const intervals = (this.#lastStart + checkIntervalMs / 2 - pollOffsetMs) / checkIntervalMs;
    return Math.ceil(intervals) * checkIntervalMs + pollOffsetMs;
  }

  async #poll(transport: NutTransport): Promise<void> {
    this.#polling = true;
    const startedAt = this.#deps.monotonicMs();
    this.#lastStart = startedAt;
    const answer = ofDevice(await transport.readVariables(this.#settings.pollDeadlineMs));
    if (this.#stopped || transport !== this.#transport) return;
    this.#deps.polled({
      startedAt,
      endedAt: this.#deps.monotonicMs(),
      outcome: answer.ok
        ? { kind: 'reading', ...this.#read(answer.value) }
        : { kind: 'failed', detail: answer.failure.detail, message: answer.failure.message },
    });
    this.#polling = false;
    this.#arm();
  }

  /** Interprets what differs from the answer before. */
  #read(raw: Variables): Pick<DecodedPoll, 'reading' | 'variables'> {
    if (raw !== this.#last?.raw)
      this.#last = { raw, reading: readingOf(raw), variables: withoutSecrets(raw, this.#last) };
    return { reading: this.#last.reading, variables: this.#last.variables };
  }
}

/** An answer of a driver that has lost its UPS is none. */
function ofDevice(answer: NutAnswer<Variables>): NutAnswer<Variables> {
  const lost = answer.ok ? lostDevice(answer.value) : null;
  return lost === null ? answer : failureOf('DATA_STALE', lost);
}

interface DecodedPoll {
  readonly raw: Variables;
  readonly reading: Reading;
  /** Without secrets. */
  readonly variables: Variables;
}

/** The settings on which a connection depends. */
export function connectionKey(settings: PollerSettings): string {
  const { name, ups, host, port, transport, tls, readLogin, sharesConnection } = settings;
  return JSON.stringify([
    name,
    ups,
    host,
    port,
    transport,
    tls,
    readLogin,
    sharesConnection,
    loginIfRefused(settings),
  ]);
}

/** The user of nut_control, where operators may use the UPS at all. */
export function loginIfRefused({ control, readLogin }: PollerSettings): NutCredentials | null {
  if (readLogin !== null || control === null || control.password === '') return null;
  return { username: control.username, password: control.password };
}
