// What the page knows of the daemon: asked over and over, each answer with the moment it came.
import type { ExplainBody, PlanBody, ReadyBody, StatusBody } from '../shared/http/bodies.js';
import type { SequenceModel } from '../shared/domain/status-model.js';

/** A lost daemon must be told within seconds; an answer of a living one takes milliseconds. */
const timeoutMs = 3_000;
/** As often as the daemon itself looks at a UPS. */
const statusEveryMs = 1_000;
/** Plans change with the configuration only. */
const plansEveryMs = 10_000;
/** How far triggers are from firing is read along with the readings in an outage, and now and then on line power. */
const explainEveryMs = { outage: 1_000, calm: 5_000 };

export interface Knowledge {
  status: StatusBody | null;
  sequence: SequenceModel;
  ready: ReadyBody | null;
  /** By groupId. */
  readonly explanations: Map<string, ExplainBody>;
  readonly plans: Map<string, PlanBody['plan']>;
  /** Milliseconds of performance.now() of the last answer, null before any. */
  answeredMs: number | null;
  /** Why the last question failed; null when it did not. */
  trouble: string | null;
  /** The daemon's clock minus this browser's, in seconds: ages are counted on the daemon's. */
  clockOffset: number;
}

export class Daemon {
  readonly known: Knowledge = {
    status: null,
    sequence: { active: false },
    ready: null,
    explanations: new Map(),
    plans: new Map(),
    answeredMs: null,
    trouble: null,
    clockOffset: 0,
  };
  #explainedMs = -Infinity;
  /** What the UPSes said when they were last explained: an explanation of another status would contradict the page. */
  #explainedStatus = '';
  #plannedMs = -Infinity;

  /** Asks for ever; `changed` is called after every round. `outage` makes it look at the triggers more often. */
  async watch(outage: () => boolean, changed: () => void): Promise<void> {
    for (;;) {
      try {
        await this.#round(outage());
        this.known.trouble = null;
      } catch (error) {
        this.known.trouble = error instanceof Error ? error.message : String(error);
      }
      changed();
      await new Promise((resolve) => setTimeout(resolve, statusEveryMs));
    }
  }

  async #round(outage: boolean): Promise<void> {
    const [status, sequence, ready] = await Promise.all([
      get<StatusBody>('/api/v1/ups'),
      get<SequenceModel>('/api/v1/sequence'),
      get<ReadyBody>('/ready', 503),
    ]);
    Object.assign(this.known, { status, sequence, ready, answeredMs: performance.now() });
    this.known.clockOffset = status.generatedAt - Date.now() / 1000;
    const groups = status.ups.map(({ groupId }) => groupId);
    const now = performance.now();
    const said = status.ups.map((row) => `${row.status} ${row.connectionState}`).join();
    const every = outage ? explainEveryMs.outage : explainEveryMs.calm;
    if (said !== this.#explainedStatus || now - this.#explainedMs >= every) {
      this.#explainedMs = now;
      this.#explainedStatus = said;
      await this.#each(groups, 'explain', this.known.explanations, (body: ExplainBody) => body);
    }
    if (now - this.#plannedMs >= plansEveryMs) {
      this.#plannedMs = now;
      await this.#each(groups, 'shutdown-plan', this.known.plans, (body: PlanBody) => body.plan);
    }
  }

  /** One that fails is left out: the status is worth showing without it. */
  async #each<B, V>(
    groups: readonly string[],
    what: string,
    into: Map<string, V>,
    of: (body: B) => V,
  ): Promise<void> {
    const answers = await Promise.allSettled(
      groups.map((group) => get<B>(`/api/v1/ups/${encodeURIComponent(group)}/${what}`)),
    );
    into.clear();
    answers.forEach((answer, index) => {
      const group = groups[index];
      if (answer.status === 'fulfilled' && group !== undefined) into.set(group, of(answer.value));
    });
  }
}

async function get<B>(path: string, alsoFine = 200): Promise<B> {
  const response = await fetch(path, { signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' });
  const body = (await response.json()) as B & { error?: { message?: string } };
  if (response.ok || response.status === alsoFine) return body;
  throw new Error(body.error?.message ?? `the daemon answered ${String(response.status)}`);
}
