// The plan on the timeline's axis: the time it needs, and below it the time the battery has left when it begins.
import type { SequenceRun } from '../../../shared/domain/status/status-model.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { wasCancelled } from '../../../shared/domain/status/wording.js';
import type { Plan } from '../../daemon/client-state.js';
import { setChildren, make, setText, setClass } from '../../ui/dom.js';
import { ViewCache } from '../../ui/view-cache.js';
import { phaseInWords } from '../../ui/phrases.js';
import type { TimelineModel } from './timeline-model.js';

export class PlanBars {
  readonly #need = new Bar();
  readonly #left = new Bar();
  readonly root = make('div', 'plan-bars', this.#need.root, this.#left.root);

  show(model: TimelineModel, plan: Plan | undefined, run: SequenceRun | null): void {
    const { triggerAt, emptyAt } = model;
    const need = plan !== undefined && triggerAt !== null && plan.boundSeconds > 0;
    this.#need.root.hidden = !need;
    if (need) {
      const segments = run === null ? segmentsOf(plan, triggerAt) : actual(run, model.now);
      const ended = run !== null && !run.active;
      this.#need.show(
        model,
        segments,
        ended
          ? wasCancelled(run)
            ? 'Cancelled'
            : 'Done'
          : `Needed: at most ${durationInWords(plan.boundSeconds)}`,
      );
    }
    const left = triggerAt !== null && emptyAt !== null;
    this.#left.root.hidden = !left;
    if (!left) return;
    const segment = { key: 'left', from: triggerAt, to: emptyAt, style: `left ${model.fit.kind}`, title: '' };
    this.#left.show(model, [segment], `Left: ${durationInWords(emptyAt - triggerAt)}`);
  }
}

interface Segment {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly style: string;
  readonly title: string;
}

function segmentsOf(plan: Plan, triggerAt: number): readonly Segment[] {
  return plan.phases.map(({ name, beginsAfterSeconds, budgetSeconds }) => ({
    key: name,
    from: triggerAt + beginsAfterSeconds,
    to: triggerAt + beginsAfterSeconds + budgetSeconds,
    style: 'planned',
    title: `${phaseInWords(name)}, at most ${durationInWords(budgetSeconds)}`,
  }));
}

function actual(run: SequenceRun, now: number): readonly Segment[] {
  return run.steps.flatMap(({ id, phase, target, state, startedAt, endedAt }): Segment[] =>
    startedAt === null
      ? []
      : [
          {
            key: id,
            from: startedAt,
            to: endedAt ?? now,
            style: state,
            title: `${phaseInWords(phase)}, ${target}: ${state}`,
          },
        ],
  );
}

/** A label, and below it the segments at their times. */
class Bar {
  readonly #segments = make('div', 'plan-bar-segments');
  readonly #label = make('span', 'plan-bar-label');
  readonly root = make('div', 'plan-bar', this.#label, this.#segments);
  readonly #views = new ViewCache(() => make('div'));

  show({ start, end }: TimelineModel, segments: readonly Segment[], text: string): void {
    const place = (at: number): number => Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100));
    const elements = this.#views.retain(segments.map(({ key }) => key));
    setChildren(this.#segments, elements);
    segments.forEach(({ from, to, style, title }, index) => {
      const element = elements[index];
      if (element === undefined) return;
      setClass(element, `segment ${style}`);
      element.title = title;
      element.style.left = `${String(place(from))}%`;
      element.style.width = `${String(Math.max(0, place(to) - place(from)))}%`;
    });
    setText(this.#label, text);
  }
}
