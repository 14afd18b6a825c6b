// The one place where policy is stepped: inputs in, in order, one at a time; effects out, at once.
// It knows no worker and no file. What an effect means, and that no effect disturbs another, is up to perform.ts.
import type { Logger } from '../../shared/runtime/log.js';
import { errorTrace } from '../../shared/domain/error-message.js';
import type { Guard } from '../guard/guard.js';
import type { Effect } from '../policy/effects.js';
import type { Input } from '../policy/inputs.js';
import type { PolicyState } from '../policy/state.js';
import { step } from '../policy/step.js';

export class Loop {
  #state: PolicyState;
  readonly #waiting: Input[] = [];
  #turning = false;
  readonly #perform: (effects: readonly Effect[]) => void;
  readonly #stepped: () => void;
  readonly #guard: Guard;
  readonly #log: Logger;

  /** `stepped` is told after every completed step: it is what feeds the watchdog. */
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
  get turning(): boolean {
    return this.#turning;
  }

  /** Handles `input` before it returns, unless called by an effect of another one: then right after that one. */
  post(input: Input): void {
    this.#waiting.push(input);
    if (this.#turning) return;
    this.#turning = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const one = next;
      this.#guard.run('an input', () => this.#turn(one));
    }
    this.#turning = false;
  }

  /**
   * Policy never throws. Should a bug make it, the input is lost and logged, and the state before it stands: one UPS with
   * an impossible reading must not end the protection of the others. The watchdog is not fed by such a turn. Once policy
   * has returned, the new state stands whatever its effects do: what they have not begun is found at the next tick.
   */
  #turn(input: Input): void {
    const stepped = this.#stepOf(input);
    if (stepped === undefined) return;
    this.#state = stepped.state;
    this.#guard.run(`the effects of a ${input.kind} input`, () => this.#perform(stepped.effects));
    this.#guard.run('the watchdog', this.#stepped);
  }

  #stepOf(input: Input): ReturnType<typeof step> | undefined {
    try {
      return step(this.#state, input);
    } catch (error) {
      const trace = errorTrace(error);
      this.#log.error(`bug: a ${input.kind} input was lost; please report this: ${trace}`);
      return undefined;
    }
  }
}
