// Explanations and plans, asked for only where a view shows them: a fleet of a hundred is not asked a hundred questions
// a second. Each answer says for which status it was given; one for another status would contradict the page.
import type { ExplainBody, GroupExplainBody, PlanBody } from '../../shared/http/bodies.js';
import { onBattery } from '../../shared/domain/wording.js';
import type { Knowledge } from './knowledge.js';
import { saidBy } from './knowledge.js';
import { Refusal } from './requests.js';
import type { Requests } from './requests.js';

/** In an outage the margins move with every reading; on line power only with the configuration. */
const explainEveryMs = { outage: 1_000, calm: 20_000 };
const planEveryMs = 15_000;
/** The API gives one answer to all who ask within 250 ms; one from before the change would be given for after it. */
const sharedMs = 300;
/** A slow link, and a daemon that has better things to do. */
const mostAtOnce = 4;

interface Asked {
  atMs: number;
  /** What the UPS said then. */
  status: string;
  underWay: boolean;
}

export class Details {
  readonly #explained = new Map<string, Asked>();
  readonly #planned = new Map<string, Asked>();
  #underWay = 0;

  constructor(
    readonly known: Knowledge,
    readonly requests: Requests,
    readonly changed: () => void,
  ) {}

  /** What the shown views need now; called after every change. */
  want(explanations: readonly string[], plans: readonly string[]): void {
    for (const group of explanations) this.#explain(group);
    for (const group of plans) this.#plan(group);
  }

  /** Everything is asked anew: the configuration was reloaded, or somebody signed in. */
  forget(): void {
    this.#explained.clear();
    this.#planned.clear();
  }

  #explain(group: string): void {
    const { status } = this.known;
    const row = [...(status?.ups ?? []), ...(status?.redundancyGroups ?? [])].find(
      ({ groupId }) => groupId === group,
    );
    if (row === undefined) return;
    const single = 'status' in row;
    const outage = single ? onBattery(row) || row.triggerActive : row.quorumLost;
    const said = saidBy(row);
    const path = `/api/v1/${single ? 'ups' : 'redundancy'}/${encodeURIComponent(group)}/explain`;
    this.#ask(this.#explained, group, said, explainEveryMs[outage ? 'outage' : 'calm'], async () => {
      const { triggers, text } = await this.requests.get<ExplainBody | GroupExplainBody>(path);
      this.known.explanations.set(group, { triggers, text, said });
    });
  }

  #plan(group: string): void {
    const redundant = this.known.status?.redundancyGroups.some(({ groupId }) => groupId === group) ?? false;
    const path = `/api/v1/${redundant ? 'redundancy' : 'ups'}/${encodeURIComponent(group)}/shutdown-plan`;
    this.#ask(this.#planned, group, '', planEveryMs, async () => {
      this.known.plans.set(group, (await this.requests.get<PlanBody>(path)).plan);
    });
  }

  #ask(
    among: Map<string, Asked>,
    group: string,
    status: string,
    everyMs: number,
    ask: () => Promise<void>,
  ): void {
    const last = among.get(group);
    if (last?.underWay === true || this.#underWay >= mostAtOnce) return;
    const now = performance.now();
    if (last?.status === status && now - last.atMs < everyMs) return;
    if (last !== undefined && now - last.atMs < sharedMs) {
      setTimeout(this.changed, sharedMs);
      return;
    }
    const asked: Asked = { atMs: now, status, underWay: true };
    among.set(group, asked);
    this.#underWay++;
    void ask()
      .catch((error: unknown) => {
        // The status is worth showing without it; it is asked again in a while.
        if (!(error instanceof Refusal)) throw error;
      })
      .finally(() => {
        asked.underWay = false;
        this.#underWay--;
        this.changed();
      });
  }
}
