// Observes the daemon from outside: when each UPS is polled, and how the API answers.
import { request } from 'node:http';
import { nowMs } from './command-log.js';
import type { Ups } from './site.js';
import { upses } from './site.js';

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Records when each UPS is asked for its variables, from the bytes in the proxy. */
export class PollWatch {
  readonly #times: Readonly<Record<Ups, number[]>> = { office: [], hall: [], rack: [] };

  clientData(bytes: Buffer): void {
    for (const [, name] of bytes.toString('latin1').matchAll(/LIST VAR "?(\w+)/g))
      this.#times[name as Ups]?.push(nowMs());
  }

  counts(): readonly number[] {
    return upses.map((name) => this.#times[name].length);
  }

  /** The longest time without a poll that overlaps the span, up to its end. */
  longestGapMs(ups: Ups, { fromMs, toMs }: Span): number {
    const times = this.#times[ups].filter((at) => at <= toMs);
    return longestGap([...since(fromMs, times), toMs]);
  }
}

/** Short enough to see every relevant absence; one request at a time. */
const healthEveryMs = 100;
/** A slower answer counts as none. */
const answerWithinMs = 5_000;

interface Answer {
  readonly askedMs: number;
  readonly tookMs: number;
  readonly fine: boolean;
}

/** Sends GET /health periodically. */
export class HealthWatch {
  readonly #answers: Answer[] = [];
  readonly #port: number;
  #going = false;

  constructor(port: number) {
    this.#port = port;
  }

  begin(): void {
    this.#going = true;
    void this.#goOn();
  }

  end(): void {
    this.#going = false;
  }

  /** The slowest answer, and the longest time between two good ones. */
  within({ fromMs, toMs }: Span): { readonly slowestMs: number; readonly awayMs: number } {
    const good = this.#answers.filter(({ fine }) => fine);
    const answered = good.map(({ askedMs, tookMs }) => askedMs + tookMs).filter((at) => at <= toMs);
    const inside = good.filter(({ askedMs }) => askedMs >= fromMs && askedMs <= toMs);
    return {
      slowestMs: Math.max(0, ...inside.map(({ tookMs }) => tookMs)),
      awayMs: longestGap([...since(fromMs, answered), toMs]),
    };
  }

  async #goOn(): Promise<void> {
    while (this.#going) {
      const askedMs = nowMs();
      const fine = await this.#ask();
      const tookMs = nowMs() - askedMs;
      this.#answers.push({ askedMs, tookMs, fine });
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, healthEveryMs - tookMs)));
    }
  }

  #ask(): Promise<boolean> {
    return new Promise((resolve) => {
      const call = request(
        { host: '127.0.0.1', port: this.#port, path: '/health', agent: false, timeout: answerWithinMs },
        (response) => {
          response.resume().on('end', () => resolve(response.statusCode === 200));
          response.on('error', () => resolve(false));
        },
      );
      call.on('timeout', () => call.destroy());
      call.on('error', () => resolve(false));
      call.on('close', () => resolve(false));
      call.end();
    });
  }
}

/** The times from the last one before `fromMs` on; without one, from `fromMs` on. */
function since(fromMs: number, times: readonly number[]): readonly number[] {
  const before = times.findLastIndex((at) => at <= fromMs);
  return before < 0 ? [fromMs, ...times] : times.slice(before);
}

function longestGap(times: readonly number[]): number {
  return Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}
