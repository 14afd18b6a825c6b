// The phases and targets of the running sequence, with how far each has come. Shown in the banner.
import type { SequenceStep } from '../../shared/domain/status-model.js';
import { durationInWords } from '../../shared/domain/wording.js';
import type { Knowledge } from '../daemon/knowledge.js';
import { nowSeconds } from '../daemon/knowledge.js';
import { Kept, arrange, make, say, setAttribute, setClass } from '../ui/dom.js';
import { phaseInWords, stepStates } from '../ui/phrases.js';

export class SequenceProgress {
  readonly root = make('ol', 'progress');
  readonly #phases = new Kept(() => new Phase());

  show(known: Knowledge): void {
    const { sequence } = known;
    this.root.hidden = !('group' in sequence && sequence.active);
    if (!('group' in sequence)) return;
    const names = [...new Set(sequence.steps.map(({ phase }) => phase))];
    const phases = this.#phases.only(names);
    arrange(
      this.root,
      phases.map(({ root }) => root),
    );
    const now = nowSeconds(known);
    names.forEach((name, index) =>
      phases[index]?.show(
        name,
        sequence.steps.filter(({ phase }) => phase === name),
        now,
        sequence.dryRun,
      ),
    );
  }
}

class Phase {
  readonly #name = make('strong');
  readonly #steps = make('ul');
  readonly root = make('li', '', this.#name, this.#steps);
  readonly #rows = new Kept(() => new Target());

  show(name: string, steps: readonly SequenceStep[], now: number, dryRun: boolean): void {
    say(this.#name, phaseInWords(name));
    const rows = this.#rows.only(steps.map(({ id }) => id));
    arrange(
      this.#steps,
      rows.map(({ root }) => root),
    );
    steps.forEach((step, index) => rows[index]?.show(step, now, dryRun));
  }
}

class Target {
  readonly #name = make('span');
  readonly #state = make('span', 'state');
  readonly #bar = make('progress');
  readonly root = make('li', '', make('span', 'dot'), this.#name, this.#state, this.#bar);

  show(step: SequenceStep, now: number, dryRun: boolean): void {
    setClass(this.root, step.state);
    say(this.#name, step.target);
    say(this.#state, progressText(step, now, dryRun));
    this.#bar.hidden = step.state !== 'running';
    this.#bar.max = Math.max(1, step.budgetSeconds);
    this.#bar.value = Math.max(0, now - (step.startedAt ?? now));
    setAttribute(this.#bar, 'aria-label', `Time used by ${step.target}`);
  }
}

/** What a step is doing, or how it ended. */
export function progressText(step: SequenceStep, now: number, dryRun: boolean): string {
  const { state, startedAt, endedAt, budgetSeconds, error } = step;
  if (state === 'running' && startedAt !== null)
    return `${durationInWords(now - startedAt)} of at most ${durationInWords(budgetSeconds)}`;
  if (error !== null) return `${stepStates[state]}: ${error}`;
  if (dryRun && state === 'done') return 'rehearsed';
  if (startedAt === null || endedAt === null) return stepStates[state];
  return `${stepStates[state]} in ${durationInWords(endedAt - startedAt)}`;
}
