// The engine with all its collaborators, of which any call can throw: before or after its effect, or by a rejected
// promise.
import type { DecideWrite } from '../simulation/journals.js';
import { SimulatedJournals } from '../simulation/journals.js';
import type { Reading } from '../../shared/domain/ups/reading.js';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import { ShutdownEngine } from '../../supervisor/engine/engine.js';
import type { ActionKind } from '../../shared/domain/actions/table.js';
import type { CommandOutcome } from '../../supervisor/host/run-command.js';
import type { JournalStore } from '../../supervisor/sequence/journal/journal.js';
import type { SequencerDependencies } from '../../supervisor/sequence/dependencies.js';
import { FakeTime, settledInMemory } from '../fixtures/fake-time.js';
import { idleObserver, idlePerformers } from '../fixtures/idle-parts.js';
import { reading } from './policy/stream.js';
import type { PollOutcome } from '../../supervisor/policy/base/inputs.js';

export type Mode = 'before' | 'after' | 'rejects';

type Method = (...args: unknown[]) => unknown;

/** Whether the call with this number and name throws. */
export type Choose = (call: number, name: string) => boolean;

export class ThrowingSite {
  readonly time = new FakeTime(undefined, settledInMemory);
  /** The outcome of writing a journal line. */
  fate: DecideWrite = () => 'kept';
  readonly journals = new SimulatedJournals((isAgain) => this.fate(isAgain));
  /** Ids of the steps that were carried out, and the programs that were run. */
  readonly done: string[] = [];
  readonly events: string[] = [];
  /** Of the events that have one. */
  readonly messages: { readonly type: string; readonly text: string }[] = [];
  /** Groups, with the time of each start of a sequence. */
  readonly starts: { readonly group: string; readonly atMs: number }[] = [];
  /** Calls of collaborators so far, by their names. */
  readonly calls: string[] = [];
  readonly #configuration: Configuration;
  readonly #mode: Mode;
  readonly #throws: Choose;
  /** The texts of the files. */
  #snapshot = 'null';
  #reserve = 'null';
  #powerOffs = 0;
  #decisions: ShutdownEngine | undefined;

  constructor(configuration: Configuration, mode: Mode, throws: Choose) {
    this.#configuration = configuration;
    this.#mode = mode;
    this.#throws = throws;
  }

  get decisions(): ShutdownEngine {
    this.#decisions ??= this.#daemon();
    return this.#decisions;
  }

  /** Kills the daemon; another one continues from the tmpfs. */
  restart(): void {
    this.journals.writerDied();
    this.#decisions = this.#daemon();
  }

  /** Every UPS, or the named one, reports `words` once a second; four ticks a second. */
  async pass(seconds: number, words: string, values: Partial<Reading>, only?: string): Promise<void> {
    const reporting = this.#configuration.ups.filter(
      ({ policy }) => (only ?? policy.groupId) === policy.groupId,
    );
    for (let quarter = 0; quarter < seconds * 4; quarter += 1) {
      await this.time.pass(250);
      if (quarter % 4 === 0) {
        for (const { policy } of reporting) this.report(policy.groupId, words, values);
        await settledInMemory();
      }
      this.decisions.tick();
      await settledInMemory();
    }
  }

  /** One UPS is polled. */
  report(groupId: string, words: string, values: Partial<Reading>): void {
    this.answers(groupId, reading(words, values));
  }

  answers(groupId: string, outcome: PollOutcome): void {
    const now = this.time.monotonicMs();
    this.decisions.polled(groupId, { startedAt: now, endedAt: now, outcome });
  }

  #daemon(): ShutdownEngine {
    const journals = this.#throwing<JournalStore>('journals', this.journals);
    const nothing = (): void => undefined;
    return new ShutdownEngine(this.#configuration, {
      clock: this.#throwing('clock', this.time),
      log: this.#throwing('log', { debug: nothing, info: nothing, warning: nothing, error: nothing }),
      snapshot: this.#throwing('snapshot', {
        read: (): unknown => JSON.parse(this.#snapshot),
        write: (policy: unknown) => {
          this.#snapshot = JSON.stringify(policy);
          return true;
        },
      }),
      reserve: this.#throwing('reserve', {
        read: (): unknown => JSON.parse(this.#reserve),
        write: (memory: unknown) => {
          this.#reserve = JSON.stringify(memory);
          return true;
        },
      }),
      journals: this.#throwing('journals', journals),
      run: this.#throwing('command', { run: (command: readonly string[]) => this.#run(command) }).run,
      setTimer: this.#throwing('timer', { setTimer: this.time.setTimer }).setTimer,
      performers: () => this.#throwing('performers', this.#performers()),
      observer: this.#throwing('observer', {
        ...idleObserver,
        record: ({ type }) => void this.events.push(type),
        notify: ({ type, detail: text }) => void this.messages.push({ type, text }),
        sequenceStarted: (group: string) => void this.starts.push({ group, atMs: this.time.monotonicMs() }),
      }),
    });
  }

  /** The first power-off of each outage fails and is retried. */
  #run([program = '']: readonly string[]): Promise<CommandOutcome> {
    this.done.push(program);
    if (program === 'off') this.#powerOffs += 1;
    const code = program === 'off' && this.#powerOffs % 2 === 1 ? 1 : 0;
    return Promise.resolve({ kind: 'exited', code, output: '' });
  }

  #performers(): SequencerDependencies['performers'] {
    const kinds = Object.keys(idlePerformers) as (keyof typeof idlePerformers & ActionKind)[];
    const performers = kinds.map((kind) => [
      kind,
      (_: unknown, { id }: { readonly id: string }) => {
        this.done.push(id);
        return Promise.resolve({ kind: 'done' } as const);
      },
    ]);
    return Object.fromEntries(performers) as SequencerDependencies['performers'];
  }

  #throwing<T extends object>(name: string, target: T): T {
    return new Proxy(target, {
      get: (_, method) => {
        const own = (target as Readonly<Record<PropertyKey, unknown>>)[method] as Method;
        return (...args: unknown[]): unknown =>
          this.#call(`${name}.${String(method)}`, () => own.apply(target, args));
      },
    });
  }

  #call(name: string, act: () => unknown): unknown {
    this.calls.push(name);
    const isDue = this.#throws(this.calls.length, name);
    if (isDue && this.#mode === 'before') throw new Error(`${name} fails`);
    const value = act();
    if (!isDue) return value;
    if (this.#mode === 'rejects' && value instanceof Promise)
      return Promise.reject(new Error(`${name} is rejected`));
    throw new Error(`${name} fails`);
  }
}
