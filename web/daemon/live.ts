// Follows the daemon: the stream while there is one, polling while there is none, and a pulse beside both so that a
// daemon that hangs is noticed within seconds. Whatever comes lands in `known`; `changed` is called then.
import type { EventRow, ReadyBody, StatusBody } from '../../shared/http/bodies.js';
import type { SequenceModel } from '../../shared/domain/status-model.js';
import { messagesOf } from './event-stream.js';
import { cutOff, inOutage, nothingKnown } from './knowledge.js';
import type { Contact } from './knowledge.js';
import { Refusal } from './requests.js';
import type { Requests } from './requests.js';

/** As often as the daemon itself looks at a UPS; calmer while the stream carries what changes. */
const everyMs = { polling: 1_000, outage: 1_000, streaming: 2_000 };
/** A lost daemon must be told within seconds; an answer of a living one takes milliseconds. */
const pulseTimeoutMs = 3_000;
/** After a stream that ended: at once, then slower. */
const streamAgainMs = [500, 1_000, 2_000, 5_000, 10_000];
/** A heartbeat comes every 15 s (specification/api-resources.md#stream); a stream silent for longer than two is dead. */
const streamSilenceMs = 35_000;
/** The list of events asks for older ones itself. */
const mostLiveEvents = 500;

export class Live {
  readonly known = nothingKnown();
  #streaming = false;
  /** Until it has failed once, what is there is taken for the beginning of a stream. */
  #streamFails = false;
  #abort: AbortController | null = null;
  #wake: () => void = () => undefined;
  #wakeStream: () => void = () => undefined;

  constructor(
    readonly requests: Requests,
    readonly changed: () => void,
  ) {}

  /** Runs for ever. */
  start(): void {
    void this.#pulse();
    void this.#follow();
    addEventListener('online', () => this.again());
    addEventListener('offline', () => this.#abort?.abort());
    document.addEventListener('visibilitychange', () => !document.hidden && this.#wake());
  }

  /** Somebody signed in or out, or the network is back: everything is asked anew. */
  again(): void {
    this.#abort?.abort();
    this.#wake();
    this.#wakeStream();
  }

  async #pulse(): Promise<void> {
    for (;;) {
      try {
        await this.#look();
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#contact(error.status === 401 ? 'locked' : 'lost');
      }
      const every = this.#streaming ? (inOutage(this.known) ? 'outage' : 'streaming') : 'polling';
      await this.#sleep(everyMs[every], (wake) => (this.#wake = wake));
    }
  }

  async #look(): Promise<void> {
    const { requests, known } = this;
    const sent = Date.now();
    if (this.#streaming && known.status !== null)
      known.ready = await requests.get<ReadyBody>('/ready', 503, pulseTimeoutMs);
    else {
      const [status, sequence, ready] = await Promise.all([
        requests.get<StatusBody>('/api/v1/ups', 200, pulseTimeoutMs),
        requests.get<SequenceModel>('/api/v1/sequence', 200, pulseTimeoutMs),
        requests.get<ReadyBody>('/ready', 503, pulseTimeoutMs),
      ]);
      Object.assign(known, { status, sequence, ready });
      known.clockOffset = status.generatedAt - (sent + Date.now()) / 2000;
    }
    this.#contact(this.#streamFails ? 'polling' : 'streaming');
  }

  async #follow(): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        if (await this.#readStream()) failures = 0;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
      const wasStreaming = this.#streaming;
      this.#streaming = false;
      this.#streamFails = failures > 0 || !wasStreaming;
      // The pulse says at once whether only the stream is gone, or the daemon.
      if (wasStreaming) this.#wake();
      const pause = streamAgainMs[Math.min(failures, streamAgainMs.length - 1)] ?? 0;
      await this.#sleep(pause, (wake) => (this.#wakeStream = wake));
    }
  }

  /** True when it brought anything. */
  async #readStream(): Promise<boolean> {
    const abort = new AbortController();
    this.#abort = abort;
    let silence = setTimeout(() => abort.abort(), streamSilenceMs);
    try {
      const body = await this.requests.stream(abort.signal);
      for await (const { event, data } of messagesOf(body)) {
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), streamSilenceMs);
        this.#streaming = true;
        this.#streamFails = false;
        this.#heard(event, data);
      }
    } catch (error) {
      // A connection that breaks off is what the pulse looks into; anything else is a bug.
      if (!(error instanceof TypeError || error instanceof DOMException || error instanceof Refusal))
        throw error;
    } finally {
      clearTimeout(silence);
      abort.abort();
    }
    return this.#streaming;
  }

  #heard(event: string, data: string): void {
    const { known } = this;
    if (event === 'status') {
      known.status = JSON.parse(data) as StatusBody;
      known.clockOffset = known.status.generatedAt - Date.now() / 1000;
    }
    if (event === 'sequence') known.sequence = JSON.parse(data) as SequenceModel;
    if (event === 'event') {
      known.liveCount++;
      known.liveEvents.push(JSON.parse(data) as EventRow);
      known.liveEvents.splice(0, Math.max(0, known.liveEvents.length - mostLiveEvents));
    }
    this.#contact('streaming');
  }

  #contact(contact: Contact): void {
    this.known.contact = contact;
    if (!cutOff(this.known)) this.known.answeredMs = performance.now();
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
