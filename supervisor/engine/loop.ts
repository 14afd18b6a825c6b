// The only caller of policy's `step`: takes inputs one at a time, in order, and performs the effects of each before the next.
// It knows no worker and no file.
import type { Instant } from '../../shared/domain/base/instant.js';
import type { Guard } from '../guard/guard.js';
import type { Loss } from '../policy/base/loss.js';
import type { Effect } from '../policy/base/effects.js';
import type { Input } from '../policy/base/inputs.js';
import type { PolicyState } from '../policy/state/state.js';
import { step } from '../policy/step.js';

export interface LoopDependencies {
  readonly guard: Guard;
  perform(effects: readonly Effect[]): void;
  /** Called after every completed step; it sends the watchdog's keep-alive. */
  stepped(): void;
  /** Called before the step of each input: its effects may ask the reserve. */
  received(input: Input): void;
  /** The state when the step of an input has thrown, or its part of these groups. */
  afterLost(state: PolicyState, input: Input, partly: ReadonlySet<string> | null): PolicyState;
  /** Called after the effects of each input. `isUndecided`: nothing of the input was decided. */
  handled(input: Input, lost: readonly Loss[], isUndecided: boolean): void;
}

/** They come again by themselves, or are made up for whole; any other input is handled again when its step has thrown. */
const recurring: ReadonlySet<Input['kind']> = new Set<Input['kind']>([
  'polled',
  'ticked',
  'assessed',
  'sequenceEnded',
]);

export class Loop {
  #state: PolicyState;
  readonly #deps: LoopDependencies;
  readonly #queue: { readonly input: Input; readonly isAgain: boolean }[] = [];
  #isHandling = false;
  #amend: ((state: PolicyState) => PolicyState) | undefined;
  /** By kind and group: the last one of each whose step has thrown. */
  readonly #lost = new Map<string, Input>();

  constructor(state: PolicyState, deps: LoopDependencies) {
    this.#state = state;
    this.#deps = deps;
  }

  get state(): PolicyState {
    return this.#state;
  }

  /** True while an input is being handled. */
  get isHandling(): boolean {
    return this.#isHandling;
  }

  /** Handles `input` before it returns. A call from an effect of another input handles `input` after that one. */
  post(input: Input, isAgain = false): void {
    this.#queue.push({ input, isAgain });
    if (this.#isHandling) return;
    this.#isHandling = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const current = next;
      this.#deps.guard.run('an input', () => this.#handle(current.input, current.isAgain));
    }
    this.#isHandling = false;
  }

  /** Where policy has lost its memory: what it knows when its first settings are handled, whenever that is. */
  amend(change: (state: PolicyState) => PolicyState): void {
    this.#amend = change;
  }

  /** Handles the inputs again whose step has thrown and that do not come again by themselves. */
  retry(at: Instant): void {
    for (const input of [...this.#lost.values()]) this.post({ ...input, at }, true);
  }

  /**
   * Policy should not throw. If a bug makes it throw, the input is lost for policy, the previous state stays, and the reserve
   * decides: one UPS with an impossible reading must not end the protection of the others. An input with a group of which nothing
   * was decided sends no keep-alive. After policy has returned, the new state stays even if its effects throw: the next tick finds
   * the effects that have not started.
   */
  #handle(input: Input, isAgain: boolean): void {
    const { guard } = this.#deps;
    let lost: readonly Loss[] = [];
    if (!isAgain) guard.run('what the reserve knows', () => this.#deps.received(input));
    const stepped = this.#step(input, (error) => (lost = [lossOf(input, error)]));
    if (stepped !== undefined) {
      ({ lost } = stepped);
      this.#state = stepped.state;
      const partly = lost.flatMap(({ undecided }) => undecided ?? []);
      if (partly.length > 0) this.#makeUp(input, new Set(partly));
      if (input.kind === 'configured') this.#amended();
      guard.run(`the effects of a ${input.kind} input`, () => this.#deps.perform(stepped.effects));
    }
    guard.run('the reserve', () => this.#deps.handled(input, lost, stepped === undefined));
    for (const { place, error } of lost) guard.logBug(`policy, ${place},`, error);
    if (stepped === undefined || stepped.lost.some(({ undecided }) => undecided !== null)) return;
    guard.run('the watchdog', () => this.#deps.stepped());
  }

  #amended(): void {
    const change = this.#amend;
    this.#amend = undefined;
    if (change === undefined) return;
    this.#deps.guard.run('what policy has forgotten', () => {
      this.#state = change(this.#state);
    });
  }

  #step(input: Input, threw: (error: unknown) => void): ReturnType<typeof step> | undefined {
    const known = `${input.kind} ${'groupId' in input ? input.groupId : ''}`;
    try {
      const stepped = step(this.#state, input);
      if (this.#lost.size > 0) this.#lost.delete(known);
      return stepped;
    } catch (error) {
      threw(error);
      if (!recurring.has(input.kind)) this.#lost.set(known, input);
      this.#makeUp(input, null);
      return undefined;
    }
  }

  #makeUp(input: Input, partly: ReadonlySet<string> | null): void {
    this.#deps.guard.run('what a lost input leaves', () => {
      this.#state = this.#deps.afterLost(this.#state, input, partly);
    });
  }
}

const lossOf = ({ kind }: Input, error: unknown): Loss => ({
  place: `a ${kind} input, which is lost`,
  error,
  undecided: null,
});
