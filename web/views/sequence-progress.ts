// The phases and targets of each running sequence, with their progress. Shown in the banner.
import type { SequenceRun, SequenceStep } from '../../shared/domain/status/status-model.js';
import { durationInWords } from '../../shared/domain/base/duration.js';
import { labelOf, runsOf } from '../../shared/domain/status/wording.js';
import type { ClientState } from '../daemon/client-state.js';
import { stateSeconds } from '../daemon/client-state.js';
import { setChildren, make, setText, setAttribute, setClass } from '../ui/dom.js';
import { ViewCache } from '../ui/view-cache.js';
import { phaseInWords, stepStates } from '../ui/phrases.js';
import { shortList } from './short-list.js';

export class SequenceProgress {
  readonly root = make('div');
  readonly #runs = new ViewCache(() => new Run());

  show(clientState: ClientState): void {
    const active = runsOf(clientState.sequence).filter((run) => run.active);
    const runs = this.#runs.retain(active.map(({ group }) => group));
    setChildren(
      this.root,
      runs.map(({ root }) => root),
    );
    active.forEach((run, index) => {
      const label = active.length === 1 ? '' : labelOf(run.group, clientState.status);
      runs[index]?.show(label, run, stateSeconds(clientState));
    });
  }
}

class Run {
  readonly #label = make('h3');
  readonly #list = make('ol', 'progress');
  readonly root = make('section', '', this.#label, this.#list);
  readonly #phases = new ViewCache(() => new Phase());

  /** `label`: empty while no other sequence runs. */
  show(label: string, { steps, dryRun }: SequenceRun, now: number): void {
    setText(this.#label, label);
    this.#label.hidden = label === '';
    const names = [...new Set(steps.map(({ phase }) => phase))];
    const phases = this.#phases.retain(names);
    setChildren(
      this.#list,
      phases.map(({ root }) => root),
    );
    names.forEach((name, index) =>
      phases[index]?.show(
        name,
        steps.filter(({ phase }) => phase === name),
        now,
        dryRun,
      ),
    );
  }
}

class Phase {
  readonly #name = make('strong');
  readonly #steps = make('ul');
  readonly #rest = make('a', 'quiet');
  readonly root = make('li', '', this.#name, this.#steps, this.#rest);
  readonly #rows = new ViewCache(() => new Target());

  constructor() {
    this.#rest.href = '#/plan';
  }

  show(name: string, steps: readonly SequenceStep[], now: number, dryRun: boolean): void {
    setText(this.#name, phaseInWords(name));
    const { shown, rest } = shortList(steps);
    setText(this.#rest, rest);
    this.#rest.hidden = rest === '';
    const rows = this.#rows.retain(shown.map(({ id }) => id));
    setChildren(
      this.#steps,
      rows.map(({ root }) => root),
    );
    shown.forEach((step, index) => rows[index]?.show(step, now, dryRun));
  }
}

class Target {
  readonly #name = make('span');
  readonly #state = make('span', 'state');
  readonly #bar = make('progress');
  readonly root = make('li', '', make('span', 'dot'), this.#name, this.#state, this.#bar);

  show(step: SequenceStep, now: number, dryRun: boolean): void {
    setClass(this.root, step.state);
    setText(this.#name, step.target);
    setText(this.#state, progressText(step, now, dryRun));
    this.#bar.hidden = step.state !== 'running';
    this.#bar.max = Math.max(1, step.budgetSeconds);
    this.#bar.value = Math.max(0, now - (step.startedAt ?? now));
    setAttribute(this.#bar, 'aria-label', `Time used by ${step.target}`);
  }
}

/** The progress of a step, or its end. */
export function progressText(step: SequenceStep, now: number, dryRun: boolean): string {
  const { state, startedAt, endedAt, budgetSeconds, error, detail } = step;
  if (state === 'running' && startedAt !== null)
    return `${durationInWords(now - startedAt)} of at most ${durationInWords(budgetSeconds)}`;
  if (detail !== null) return detail;
  if (error !== null) return `${stepStates[state]}: ${error}`;
  if (dryRun && state === 'done') return 'done (dry run)';
  if (startedAt === null || endedAt === null) return stepStates[state];
  return `${stepStates[state]} in ${durationInWords(endedAt - startedAt)}`;
}
