// The only caller of policy's `step`: takes inputs one at a time, in order, and performs the effects of each before the next.
// It knows no worker and no file.
import { errorTrace } from '../../shared/domain/error-message.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Guard } from '../guard/guard.js';
import type { Effect } from '../policy/effects.js';
import type { Input } from '../policy/inputs.js';
import type { PolicyState } from '../policy/state.js';
import { step } from '../policy/step.js';

export class Loop {
  #state: PolicyState;
  readonly #queue: Input[] = [];
  #isHandling = false;
  readonly #perform: (effects: readonly Effect[]) => void;
  readonly #stepped: () => void;
  readonly #guard: Guard;
  readonly #log: Logger;

  /** `stepped` is called after every completed step; it sends the watchdog's keep-alive. */
  constructor(
    state: PolicyState,
    perform: (effects: readonly Effect[]) => void,
    stepped: () => void,
    { guard, log }: { readonly guard: Guard; readonly log: Logger },
  ) {
    this.#state = state;
    this.#perform = perform;
    this.#stepped = stepped;
    this.#guard = guard;
    this.#log = log;
  }

  get state(): PolicyState {
    return this.#state;
  }

  /** True while an input is being handled. */
  get isHandling(): boolean {
    return this.#isHandling;
  }

  /** Handles `input` before it returns. A call from an effect of another input handles `input` after that one. */
  post(input: Input): void {
    this.#queue.push(input);
    if (this.#isHandling) return;
    this.#isHandling = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const current = next;
      this.#guard.run('an input', () => this.#handle(current));
    }
    this.#isHandling = false;
  }

  /**
   * Policy should not throw. If a bug makes it throw, the input is logged and lost, and the previous state stays: one UPS with an
   * impossible reading must not end the protection of the others. An input with a group of which nothing was decided sends no
   * keep-alive. After policy has returned, the new state stays even if its effects throw: the next tick finds the effects that
   * have not started.
   */
  #handle(input: Input): void {
    const stepped = this.#step(input);
    if (stepped === undefined) return;
    this.#state = stepped.state;
    this.#guard.run(`the effects of a ${input.kind} input`, () => this.#perform(stepped.effects));
    for (const { place, error } of stepped.lost) this.#guard.logBug(`policy, ${place},`, error);
    if (stepped.lost.some(({ undecided }) => undecided !== null)) return;
    this.#guard.run('the watchdog', this.#stepped);
  }

  #step(input: Input): ReturnType<typeof step> | undefined {
    try {
      return step(this.#state, input);
    } catch (error) {
      const trace = errorTrace(error);
      this.#log.error(`bug: a ${input.kind} input was lost; please report this: ${trace}`);
      return undefined;
    }
  }
}
