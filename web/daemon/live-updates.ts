// Keeps `clientState` up to date: by the stream, or by polling without one. A request every few seconds detects a daemon
// that hangs. Calls `changed` after every update.
import type { EventRow, ReadyBody, StatusBody } from '../../shared/http/bodies.js';
import type { SequenceModel } from '../../shared/domain/status/status-model.js';
import { messagesOf } from './event-stream.js';
import { isDisconnected, inOutage, initialState } from './client-state.js';
import type { DaemonConnection } from './client-state.js';
import { RequestError, proxyLogin } from './api-client.js';
import type { ApiClient } from './api-client.js';

/** As often as the daemon polls a UPS; less often while the stream carries the changes. */
const pollEveryMs = { polling: 1_000, outage: 1_000, streaming: 2_000 };
/** The page must report a lost daemon within seconds; an answer takes milliseconds. Over a slow link a poll gets twice the last. */
const pollTimeoutMs = { least: 3_000, most: 10_000 };
/** Pauses before the stream is opened again. */
const streamRetryMs = [500, 1_000, 2_000, 5_000, 10_000];
/** The heartbeat comes every 15 s (specification/api-resources.md#stream); after more than two missing ones the stream is dead. */
const streamSilenceMs = 35_000;
/** The view of events loads older events itself. */
const maxLiveEvents = 500;

export class LiveUpdates {
  readonly clientState = initialState();
  #streaming = false;
  /** False until a stream has failed: the page says "Live" while the first stream connects. */
  #streamFails = false;
  /** Messages of the stream so far; those of them that were applied, and how many at the last poll. */
  #messages = 0;
  #applied = 0;
  #appliedAtPoll = 0;
  /** The last poll had a state that the stream had not brought. */
  #streamMissed = false;
  #timeoutMs = pollTimeoutMs.least;
  #abort: AbortController | null = null;
  #pollNow: () => void = () => undefined;
  #retryStream: () => void = () => undefined;

  constructor(
    readonly api: ApiClient,
    readonly changed: () => void,
  ) {}

  /** Starts the two loops; they never end. */
  start(): void {
    void this.#pollLoop();
    void this.#streamLoop();
    addEventListener('online', () => this.reconnect());
    addEventListener('offline', () => this.#abort?.abort());
    document.addEventListener('visibilitychange', () => !document.hidden && this.#pollNow());
    addEventListener('pageshow', ({ persisted }) => persisted && this.reconnect());
  }

  /** Polls and opens the stream again: the session changed, or the network is back. */
  reconnect(): void {
    this.#abort?.abort();
    this.#pollNow();
    this.#retryStream();
  }

  async #pollLoop(): Promise<void> {
    for (;;) {
      const before = this.#messages;
      const sentMs = performance.now();
      try {
        await this.#poll();
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        this.clientState.atProxyLogin = error.code === proxyLogin;
        // With a message of the stream since then the daemon answers, and only the request is slow.
        if (error.status === 401) this.#setConnection('locked');
        else if (this.#messages === before) this.#setConnection('lost');
      }
      const tookMs = performance.now() - sentMs;
      this.#timeoutMs = Math.min(pollTimeoutMs.most, Math.max(pollTimeoutMs.least, 2 * tookMs));
      const mode = this.#streaming ? (inOutage(this.clientState) ? 'outage' : 'streaming') : 'polling';
      await this.#sleep(pollEveryMs[mode], (wake) => (this.#pollNow = wake));
    }
  }

  /** Asks for the state too unless the stream has brought something since the last poll: a connection may die without an end. */
  async #poll(): Promise<void> {
    const { api, clientState } = this;
    const before = this.#applied;
    const isQuiet = before === this.#appliedAtPoll;
    this.#appliedAtPoll = before;
    const sent = Date.now();
    if (this.#streaming && clientState.status !== null && !isQuiet)
      clientState.ready = await api.get<ReadyBody>('/ready', 503, this.#timeoutMs);
    else {
      const [status, sequence, ready] = await Promise.all([
        api.get<StatusBody>('/api/v1/ups', 200, this.#timeoutMs),
        api.get<SequenceModel>('/api/v1/sequence', 200, this.#timeoutMs),
        api.get<ReadyBody>('/ready', 503, this.#timeoutMs),
      ]);
      clientState.ready = ready;
      // What the stream has brought meanwhile may be newer.
      if (this.#applied === before) {
        const isNews = this.#streaming && stateOf(status) !== stateOf(clientState.status);
        Object.assign(clientState, { status, sequence });
        clientState.clockOffset = status.generatedAt - (sent + Date.now()) / 2000;
        if (isNews && this.#streamMissed) this.#abort?.abort();
        this.#streamMissed = isNews;
      }
    }
    this.#setConnection(this.#streamFails ? 'polling' : 'streaming');
  }

  async #streamLoop(): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        if (await this.#readStream()) failures = 0;
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
      }
      const wasStreaming = this.#streaming;
      this.#streaming = false;
      this.#streamFails = failures > 0 || !wasStreaming;
      // Poll immediately to determine whether the daemon or only the stream has failed.
      if (wasStreaming) this.#pollNow();
      const pause = streamRetryMs[Math.min(failures, streamRetryMs.length - 1)] ?? 0;
      await this.#sleep(pause, (wake) => (this.#retryStream = wake));
    }
  }

  /** Reads the stream until it ends. True when a message arrived. */
  async #readStream(): Promise<boolean> {
    const abort = new AbortController();
    this.#abort = abort;
    let silence = setTimeout(() => abort.abort(), streamSilenceMs);
    try {
      const body = await this.api.stream(abort.signal);
      this.clientState.streamCount++;
      for await (const { event, data } of messagesOf(body)) {
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), streamSilenceMs);
        this.#streaming = true;
        this.#streamFails = false;
        this.#messages++;
        this.#streamMissed = false;
        this.#apply(event, data);
      }
    } catch (error) {
      // The poll loop reports a broken connection; any other error is a bug.
      if (!(error instanceof TypeError || error instanceof DOMException || error instanceof RequestError))
        throw error;
    } finally {
      clearTimeout(silence);
      abort.abort();
    }
    return this.#streaming;
  }

  #apply(event: string, data: string): void {
    const { clientState } = this;
    if (event === 'status') {
      const status = JSON.parse(data) as StatusBody;
      // What was delayed on its way is older than what a poll has brought; the next poll judges a clock that was set back.
      if (status.generatedAt >= (clientState.status?.generatedAt ?? 0)) {
        clientState.status = status;
        clientState.clockOffset = status.generatedAt - Date.now() / 1000;
        this.#applied++;
      }
    }
    if (event === 'sequence') {
      clientState.sequence = JSON.parse(data) as SequenceModel;
      this.#applied++;
    }
    if (event === 'event') {
      clientState.liveCount++;
      clientState.liveEvents.push(JSON.parse(data) as EventRow);
      clientState.liveEvents.splice(0, Math.max(0, clientState.liveEvents.length - maxLiveEvents));
    }
    this.#setConnection('streaming');
  }

  #setConnection(connection: DaemonConnection): void {
    this.clientState.connection = connection;
    if (!isDisconnected(this.clientState))
      this.clientState.lastAnswer = { monotonicMs: performance.now(), wallMs: Date.now() };
    this.changed();
  }

  #sleep(ms: number, waking: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      waking(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** The state without the time of the answer. */
function stateOf(status: StatusBody | null): string {
  return JSON.stringify({ ...status, generatedAt: 0 });
}
