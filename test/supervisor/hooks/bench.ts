// Hooks on a fake clock, and the processes they start.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { HookUser } from '../../../supervisor/hooks/hooks.js';
import { Hooks } from '../../../supervisor/hooks/hooks.js';
import type { HookTimer } from '../../../supervisor/hooks/timers.js';
import type { CommandOutcome } from '../../../supervisor/host/run-command.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';

export const hook = (lines: string, more = ''): string =>
  `${office}[[ups]]\nname = "rack@localhost"\n${more}[[hooks]]\ncommand = ["/opt/hook", "first word"]\n${lines}\n`;
export const [officeId, rackId] = ['office-127.0.0.1-3493', 'rack-localhost'];

export class Bench {
  readonly time: FakeTime;
  readonly log: LogRecord[] = [];
  readonly started: { command: readonly string[]; env: Readonly<Record<string, string>>; atMs: number }[] =
    [];
  stored: readonly HookTimer[];
  mostAtOnce = 0;
  user: HookUser = null;
  outcome: CommandOutcome = { kind: 'exited', code: 0, output: '' };
  takesMs = 0;
  #running = 0;
  hooks: Hooks;

  constructor(text: string, stored: readonly HookTimer[] = [], time = new FakeTime()) {
    this.time = time;
    this.stored = stored;
    this.hooks = this.#daemon(text);
  }

  #daemon(text: string): Hooks {
    const hooks = new Hooks({
      clock: this.time,
      setTimer: this.time.setTimer,
      log: loggerTo('supervisor', this.time, (record) => this.log.push(record)),
      run: (command, signal, _mode, env = {}) => {
        this.started.push({ command, env, atMs: this.time.monotonicMs() });
        this.#running += 1;
        this.mostAtOnce = Math.max(this.mostAtOnce, this.#running);
        return new Promise((resolve) => {
          const end = (outcome: CommandOutcome): void => {
            this.#running -= 1;
            resolve(outcome);
          };
          if (this.takesMs > 0) this.time.setTimer(this.takesMs, () => end(this.outcome));
          else if (this.takesMs === 0) end(this.outcome);
          signal.addEventListener('abort', () => end({ kind: 'abandoned', output: 'x' }));
        });
      },
      timers: {
        read: () => this.stored,
        write: (timers) => {
          this.stored = timers;
          return true;
        },
      },
      user: () => this.user,
      environment: { PATH: '/bin', SECRET: 's3cret', TZ: 'Europe/Berlin' },
    });
    hooks.apply(configurationFrom(text));
    return hooks;
  }

  /** The daemon is killed and starts again after `ms`, on the same boot. */
  async restart(text: string, ms: number): Promise<void> {
    await this.time.pass(ms);
    this.hooks = this.#daemon(text);
  }

  tell(type: EventType, source = officeId ?? '', detail = 'charge 87 %'): void {
    this.hooks.recorded({ type, source, detail });
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      await this.time.pass(250);
      this.hooks.tick();
      await settled();
    }
  }

  get events(): readonly string[] {
    return this.started.map(({ env }) => `${env['EVENT'] ?? ''} ${env['UPS'] ?? ''}`);
  }
}
