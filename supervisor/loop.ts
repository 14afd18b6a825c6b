// The one place where policy is stepped: inputs in, in order, one at a time; effects out, at once.
// It knows no worker and no file; what an effect means is perform.ts's business.
import type { Logger } from '../shared/runtime/log.js';
import type { Effect } from './policy/effects.js';
import type { Input } from './policy/inputs.js';
import type { PolicyState } from './policy/state.js';
import { step } from './policy/step.js';

export class Loop {
  #state: PolicyState;
  readonly #waiting: Input[] = [];
  #turning = false;
  readonly #perform: (effects: readonly Effect[]) => void;
  readonly #log: Logger;
  readonly #stepped: () => void;

  /** `stepped` is told after every completed step: it is what feeds the watchdog. */
  constructor(
    state: PolicyState,
    perform: (effects: readonly Effect[]) => void,
    stepped: () => void,
    log: Logger,
  ) {
    this.#state = state;
    this.#perform = perform;
    this.#stepped = stepped;
    this.#log = log;
  }

  get state(): PolicyState {
    return this.#state;
  }

  /** True while an input is being handled. */
  get turning(): boolean {
    return this.#turning;
  }

  /** Handles `input` before it returns, unless called by an effect of another one: then right after that one. */
  post(input: Input): void {
    this.#waiting.push(input);
    if (this.#turning) return;
    this.#turning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#turn(next);
    this.#turning = false;
  }

  /**
   * Policy never throws; should a bug make it, the input is lost, said aloud, and the state before it stands: one UPS
   * with an impossible reading must not end the protection of the others. The watchdog is not fed by such a turn.
   */
  #turn(input: Input): void {
    try {
      const { state, effects } = step(this.#state, input);
      this.#state = state;
      this.#perform(effects);
      this.#stepped();
    } catch (error) {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#log.error(`bug: a ${input.kind} input was lost; please report this: ${trace}`);
    }
  }
}
