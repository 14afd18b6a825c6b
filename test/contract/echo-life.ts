// One life of the echo worker over a connection, as the supervisor leads it.
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import { systemClock } from '../../shared/runtime/clock.js';
import { processFacts } from '../../supervisor/host/process-facts.js';
import type { InstanceLoss } from '../../supervisor/supervision/child.js';
import { WorkerChild } from '../../supervisor/supervision/child.js';
import { AwakeClock } from '../../supervisor/supervision/awake-clock.js';
import type { EchoContract } from '../fixtures/workers/echo.js';
import { echoContract, plainSettings } from '../fixtures/workers/echo.js';
import type { Connection } from './connections.js';

/** Quicker than the supervisor's own, so that deadlines are met soon. */
const tickMs = 50;

export class EchoLife {
  readonly child: WorkerChild<EchoContract>;
  readonly numbers: number[] = [];
  readonly records: LogRecord[] = [];
  /** Undefined while it lives; null when it ended by order. */
  loss: InstanceLoss | null | undefined;
  readonly ready: Promise<void>;
  readonly gone: Promise<void>;
  readonly #ticking: NodeJS.Timeout;

  constructor(connect: Connection) {
    let ready = (): void => undefined;
    let gone = (): void => undefined;
    this.ready = new Promise((resolve) => (ready = resolve));
    this.gone = new Promise((resolve) => (gone = resolve));
    const count = ({ number }: { number: number }): void => void this.numbers.push(number);
    const awakeClock = new AwakeClock(systemClock);
    this.child = new WorkerChild(
      {
        name: 'echo:test',
        contract: echoContract,
        entry: '',
        hosting: { kind: 'process', user: null },
        // Of a busy machine; their own tests are in test/supervisor/supervision.
        silenceMs: 20_000,
        startDeadlineMs: 20_000,
        stopDeadlineMs: 20_000,
        memoryLimitMb: 200,
        settings: plainSettings,
        onEvent: { 'number.counted': count, 'number.changed': count },
        asks: {
          double: ({ number }) =>
            number === 13
              ? Promise.resolve({ ok: false, error: { code: 'UNLUCKY', message: 'not that one' } })
              : Promise.resolve({ ok: true, value: { number: 2 * number } }),
        },
      },
      plainSettings,
      connect(),
      { clock: systemClock, awakeClock, processes: processFacts },
      {
        ready,
        lost: (loss) => {
          this.loss = loss;
        },
        gone,
        log: (record) => this.records.push(record),
        warn: () => undefined,
        bug: () => undefined,
      },
    );
    this.#ticking = setInterval(() => this.child.tick(awakeClock.tick()), tickMs);
  }

  relabel(label: string): void {
    this.child.reconfigure({ ...plainSettings, label });
  }

  /** Ends with mocha's own timeout when the condition never holds. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }

  async end(): Promise<void> {
    this.child.kill();
    await this.gone;
    clearInterval(this.#ticking);
  }
}
