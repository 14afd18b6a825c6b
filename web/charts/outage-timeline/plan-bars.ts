// The plan on the film's time axis: the time it needs above the time the battery has left when it begins.
import type { SequenceModel } from '../../shared/domain/status-model.js';
import { durationInWords } from '../../shared/domain/wording.js';
import type { Plan } from '../daemon/knowledge.js';
import { Kept, arrange, make, say, setClass } from '../ui/dom.js';
import { phaseInWords } from '../ui/phrases.js';
import type { Scene } from './film-scene.js';

export class PlanLane {
  readonly #need = new Bar();
  readonly #left = new Bar();
  readonly root = make('div', 'lane', this.#need.root, this.#left.root);

  show(scene: Scene, plan: Plan | undefined, run: Extract<SequenceModel, { group: string }> | null): void {
    const { triggerAt, emptyAt } = scene;
    const need = plan !== undefined && triggerAt !== null && plan.boundSeconds > 0;
    this.#need.root.hidden = !need;
    if (need) {
      const segments = run === null ? planned(plan, triggerAt) : actual(run, scene.now);
      const ended = run !== null && !run.active;
      this.#need.show(
        scene,
        segments,
        ended ? 'Done' : `Needed: at most ${durationInWords(plan.boundSeconds)}`,
      );
    }
    const left = triggerAt !== null && emptyAt !== null;
    this.#left.root.hidden = !left;
    if (!left) return;
    const segment = { key: 'left', from: triggerAt, to: emptyAt, style: `left ${scene.fit.kind}`, title: '' };
    this.#left.show(scene, [segment], `Left: ${durationInWords(emptyAt - triggerAt)}`);
  }
}

interface Segment {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly style: string;
  readonly title: string;
}

function planned(plan: Plan, triggerAt: number): readonly Segment[] {
  return plan.phases.map(({ name, beginsAfterSeconds, budgetSeconds }) => ({
    key: name,
    from: triggerAt + beginsAfterSeconds,
    to: triggerAt + beginsAfterSeconds + budgetSeconds,
    style: 'planned',
    title: `${phaseInWords(name)}, at most ${durationInWords(budgetSeconds)}`,
  }));
}

function actual(run: Extract<SequenceModel, { group: string }>, now: number): readonly Segment[] {
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

/** A row of the lane: its words, and below them its segments in their places. */
class Bar {
  readonly #segments = make('div', 'lane-segments');
  readonly #label = make('span', 'lane-label');
  readonly root = make('div', 'lane-row', this.#label, this.#segments);
  readonly #kept = new Kept(() => make('div'));

  show({ start, end }: Scene, segments: readonly Segment[], words: string): void {
    const place = (at: number): number => Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100));
    const elements = this.#kept.only(segments.map(({ key }) => key));
    arrange(this.#segments, elements);
    segments.forEach(({ from, to, style, title }, index) => {
      const element = elements[index];
      if (element === undefined) return;
      setClass(element, `segment ${style}`);
      element.title = title;
      element.style.left = `${String(place(from))}%`;
      element.style.width = `${String(Math.max(0, place(to) - place(from)))}%`;
    });
    say(this.#label, words);
  }
}
