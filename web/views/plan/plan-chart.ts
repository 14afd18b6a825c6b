// A plan as bars over time: phases one after the other, lanes side by side, each step with its budget.
import { countText } from '../../../shared/domain/base/format.js';
import type { SequenceRun } from '../../../shared/domain/status/status-model.js';
import { restartWords } from '../../../shared/domain/actions/restart-words.js';
import { withSudo } from '../../../shared/domain/commands/with-sudo.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { runsOf, wasCancelled } from '../../../shared/domain/status/wording.js';
import type { ShownStep } from '../../../shared/http/bodies.js';
import { beginningsOf } from '../../../shared/domain/outage/plan-lanes.js';
import type { ClientState, Plan } from '../../daemon/client-state.js';
import { stateSeconds } from '../../daemon/client-state.js';
import { setChildren, make, setText, setClass } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import { formatDateTime, phaseInWords } from '../../ui/phrases.js';
import { progressText } from '../sequence-progress.js';

/** A step with its place in the plan, in seconds from the start of the sequence. */
interface Placed {
  readonly step: ShownStep;
  readonly beginsAt: number;
}

export class PlanChart {
  readonly #title = make('h2');
  readonly #summary = make('p');
  readonly #steps = make('ol', 'steps');
  readonly root = make('article', 'panel plan', this.#title, this.#summary, this.#steps);
  readonly #rows = new ViewCache(() => new StepRow());

  show(label: string, clientState: ClientState, groupId: string): void {
    const plan = clientState.plans.get(groupId);
    setText(this.#title, label);
    if (plan === undefined) {
      setText(this.#summary, 'Loading the plan.');
      this.#steps.replaceChildren();
      return;
    }
    const { sequence } = clientState;
    const run = runsOf(sequence).find(({ group }) => group === groupId) ?? null;
    const placed = plan.phases.flatMap((phase) => placedSteps(phase));
    setText(this.#summary, summaryOf(plan, placed.length, run));
    setClass(this.root, `panel plan${run?.active === true ? ' running' : ''}`);
    const rows = this.#rows.retain(placed.map(({ step }) => step.id));
    setChildren(
      this.#steps,
      rows.map(({ root }) => root),
    );
    let phase = '';
    placed.forEach((one, index) => {
      rows[index]?.show(one, plan, run, stateSeconds(clientState), one.step.phase !== phase);
      phase = one.step.phase;
    });
  }
}

function placedSteps(phase: Plan['phases'][number]): readonly Placed[] {
  const beginnings = beginningsOf(
    phase.steps,
    phase.beginsAfterSeconds,
    ({ budgetSeconds }) => budgetSeconds,
  );
  return [...beginnings].map(([step, beginsAt]) => ({ step, beginsAt }));
}

function summaryOf(plan: Plan, steps: number, run: SequenceRun | null): string {
  if (steps === 0) return 'There is nothing to shut down: this UPS is only monitored.';
  const last =
    run === null
      ? ''
      : ` ${run.active ? 'Running since' : 'Last run'} ${formatDateTime(run.startedAt)}${wasCancelled(run) ? ', cancelled' : ''}.`;
  const usual = plan.estimateSeconds > 0 ? `, usually about ${durationInWords(plan.estimateSeconds)}` : '';
  return `${countText(steps, 'step')}, at most ${durationInWords(plan.boundSeconds)} in total${usual}.${last}`;
}

class StepRow {
  readonly #phase = make('span', 'step-phase');
  readonly #target = make('span', 'step-target');
  readonly #note = make('span', 'quiet');
  readonly #bar = make('span', 'step-bar');
  readonly #track = make('span', 'step-track', this.#bar);
  readonly root = make(
    'li',
    '',
    this.#phase,
    make('span', 'step-what', make('span', 'dot'), this.#target, this.#note),
    this.#track,
  );

  show({ step, beginsAt }: Placed, plan: Plan, run: SequenceRun | null, now: number, first: boolean): void {
    const state = run?.steps.find(({ id }) => id === step.id);
    setClass(this.root, `${state?.state ?? 'idle'}${first ? ' first' : ''}`);
    setText(this.#phase, first ? phaseInWords(step.phase) : '');
    setText(this.#target, step.action.kind === 'wall' ? 'Warn logged-in users' : step.target);
    const budget = `at most ${durationInWords(step.budgetSeconds)}`;
    const started = state !== undefined && state.state !== 'pending';
    setText(this.#note, started ? progressText(state, now, plan.dryRun) : `${budget}${commandOf(step)}`);
    const whole = Math.max(1, plan.boundSeconds);
    this.#bar.style.left = `${String((beginsAt / whole) * 100)}%`;
    this.#bar.style.width = `${String(Math.max(0.6, (step.budgetSeconds / whole) * 100))}%`;
    this.#track.title = `from ${durationInWords(beginsAt)}, ${budget}`;
  }
}

/** The commands of a step; the daemon returns them only to a session. */
function commandOf({ action }: ShownStep): string {
  const { command, work, restart } = action;
  const isWork = typeof work === 'object' && work !== null;
  const final = isWork && 'final' in work ? work.final : null;
  const useSudo = isWork && 'useSudo' in work && work.useSudo === true;
  const instead = textOf(restart, useSudo);
  const own = textOf(typeof final === 'string' ? final : command, useSudo);
  return `${own === '' ? '' : `: ${own}`}${instead === '' ? '' : `; ${restartWords(instead)}`}`;
}

function textOf(command: unknown, useSudo: boolean): string {
  if (Array.isArray(command)) return command.map(String).join(' ');
  return typeof command === 'string' ? withSudo(command, useSudo) : '';
}
