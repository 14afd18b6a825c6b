// The shutdown plan of each UPS, and how far its sequence has come when one runs or has run.
import type { PhaseName } from '../shared/domain/plan.js';
import type { SequenceModel, SequenceStep } from '../shared/domain/status-model.js';
import { durationInWords } from '../shared/domain/wording.js';
import type { PlanBody, ShownStep } from '../shared/http/bodies.js';
import { arrange, make, say, setClass } from './dom.js';

type Plan = PlanBody['plan'];

const phases: Readonly<Record<PhaseName, string>> = {
  virtual_machines: 'Stop virtual machines',
  containers: 'Stop containers',
  filesystem_sync: 'Write out file systems',
  filesystem_unmount: 'Unmount file systems',
  remote_servers: 'Shut down remote servers',
  final_sync: 'Write out file systems again',
  ups_output_off: 'Switch the UPS output off',
  local_poweroff: 'Power this machine off',
};

/** A phase by its name in the sequence, which is text there. */
export function phaseInWords(name: string): string {
  return Object.entries(phases).find(([phase]) => phase === name)?.[1] ?? name;
}

const stateWords: Readonly<Record<SequenceStep['state'], string>> = {
  pending: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};

export class PlanView {
  readonly root = make('article', 'plan');
  readonly #title = make('h3');
  readonly #bound = make('p', 'quiet');
  readonly #steps = make('ol', 'steps');
  readonly #rows = new Map<string, StepRow>();

  constructor() {
    this.root.append(this.#title, this.#bound, this.#steps);
  }

  show(plan: Plan, sequence: SequenceModel, nowSeconds: number): void {
    const run = 'group' in sequence && sequence.group === plan.group ? sequence : null;
    const steps = plan.phases.flatMap((phase) => phase.steps);
    say(this.#title, plan.label);
    say(this.#bound, summary(plan, steps.length, run));
    setClass(this.root, `plan${run?.active === true ? ' running' : ''}${plan.dryRun ? ' rehearsal' : ''}`);
    const rows = steps.map((step) => {
      const row = this.#rows.get(step.id) ?? new StepRow();
      this.#rows.set(step.id, row);
      row.show(
        step,
        run?.steps.find(({ id }) => id === step.id),
        { nowSeconds, dryRun: plan.dryRun },
      );
      return row.root;
    });
    arrange(this.#steps, rows);
  }
}

interface Moment {
  readonly nowSeconds: number;
  readonly dryRun: boolean;
}

class StepRow {
  readonly root = make('li');
  readonly #what = make('strong');
  readonly #target = make('span', 'target');
  readonly #state = make('span', 'state');
  readonly #note = make('span', 'note quiet');

  constructor() {
    this.root.append(
      make('span', 'dot'),
      make('span', 'what', this.#what, this.#target),
      this.#state,
      this.#note,
    );
  }

  show(step: ShownStep, run: SequenceStep | undefined, at: Moment): void {
    setClass(this.root, run?.state ?? 'idle');
    say(this.#what, step.action.kind === 'wall' ? 'Warn everybody logged in' : phases[step.phase]);
    say(this.#target, step.target);
    say(
      this.#state,
      run === undefined ? '' : at.dryRun && run.state === 'done' ? 'rehearsed' : stateWords[run.state],
    );
    say(this.#note, noteOf(step, run, at));
  }
}

function noteOf(step: ShownStep, run: SequenceStep | undefined, { nowSeconds, dryRun }: Moment): string {
  if (run?.error !== undefined && run.error !== null) return run.error;
  if (run?.startedAt === undefined || run.startedAt === null)
    return `at most ${durationInWords(step.budgetSeconds)}`;
  if (dryRun && run.endedAt !== null) return 'recorded, not run';
  const took = (run.endedAt ?? nowSeconds) - run.startedAt;
  return run.endedAt === null
    ? `for ${durationInWords(took)} of at most ${durationInWords(step.budgetSeconds)}`
    : `in ${durationInWords(took)}`;
}

function summary(plan: Plan, steps: number, run: { active: boolean; startedAt: number } | null): string {
  if (steps === 0) return 'There is nothing to shut down: this UPS is only watched.';
  const kind = plan.dryRun ? 'Dry run: every step is recorded and none is run. ' : '';
  const last =
    run === null
      ? ''
      : ` ${run.active ? 'Running since' : 'Last run at'} ${new Date(run.startedAt * 1000).toLocaleTimeString()}.`;
  return `${kind}${String(steps)} ${steps === 1 ? 'step' : 'steps'}, at most ${durationInWords(plan.boundSeconds)} in all.${last}`;
}
