// The readers of the API of a fleet, in their own process: a health check, a list of all rows, a scraper, a reader of
// histories, and one live stream.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { KindReport, ReaderKind, ReadersAnswers, ReadersOrders, ReadersPlan } from './messages.js';
import { serveOrders } from './messages.js';

const agent = new Agent({ keepAlive: true });
const answerWithinMs = 10_000;

class Reader {
  #over = false;
  #answers = 0;
  #errors = 0;
  #largestBytes = 0;
  readonly #tookMs: number[] = [];

  async read(port: number, everyMs: number, pathOf: (round: number) => string): Promise<void> {
    for (let round = 0; !this.#over; round += 1) {
      const startedMs = performance.now();
      const bytes = await ask(port, pathOf(round));
      const tookMs = performance.now() - startedMs;
      if (bytes === undefined) this.#errors += 1;
      else {
        this.#answers += 1;
        this.#tookMs.push(tookMs);
        this.#largestBytes = Math.max(this.#largestBytes, bytes);
      }
      await pause(Math.max(0, everyMs - tookMs));
    }
  }

  end(): KindReport {
    this.#over = true;
    return {
      answers: this.#answers,
      errors: this.#errors,
      tookMs: this.#tookMs,
      largestBytes: this.#largestBytes,
    };
  }
}

const readers: Readonly<Record<ReaderKind, Reader>> = {
  health: new Reader(),
  ups: new Reader(),
  metrics: new Reader(),
  history: new Reader(),
};
let streamMessages = 0;
let streamBytes = 0;

serveOrders<ReadersOrders, ReadersAnswers>({
  read: (plan) => {
    begin(plan);
    return Promise.resolve({});
  },
  report: () => {
    const { health, ups, metrics, history } = readers;
    const kinds = { health: health.end(), ups: ups.end(), metrics: metrics.end(), history: history.end() };
    return Promise.resolve({ kinds, streamMessages, streamBytes });
  },
});

function begin({ apiPort, names, everyMs }: ReadersPlan): void {
  const paths: Readonly<Record<ReaderKind, (round: number) => string>> = {
    health: () => '/health',
    ups: () => '/api/v1/ups',
    metrics: () => '/metrics',
    history: (round) => `/api/v1/ups/${names[round % names.length] ?? ''}/history`,
  };
  for (const kind of ['health', 'ups', 'metrics', 'history'] as const)
    void readers[kind].read(apiPort, everyMs[kind], paths[kind]);
  follow(apiPort);
}

function follow(port: number): void {
  get({ host: '127.0.0.1', port, path: '/api/v1/stream' }, (response) => {
    response.on('data', (chunk: Buffer) => {
      streamBytes += chunk.length;
      streamMessages += chunk.toString('latin1').split('\n\n').length - 1;
    });
  }).on('error', () => undefined);
}

/** Bytes of the body of a 200; undefined for anything else. */
function ask(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path, agent, timeout: answerWithinMs }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve(response.statusCode === 200 ? bytes : undefined));
      response.on('error', () => resolve(undefined));
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => resolve(undefined));
  });
}
