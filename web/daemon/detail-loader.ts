// Loads explanations and plans, only for the UPSes that a view shows: a fleet of a hundred UPSes must not cause a hundred
// requests a second. Stores each answer with the state it explains, because one of another state contradicts the page.
import type { ExplainBody, GroupExplainBody, PlanBody } from '../../shared/http/bodies.js';
import type { ClientState } from './client-state.js';
import { explanationKey, isThreatened } from './client-state.js';
import { RequestError } from './api-client.js';
import type { ApiClient } from './api-client.js';

/** In an outage the margins change with every reading; on line power only with the configuration. */
const explainEveryMs = { outage: 1_000, linePower: 20_000 };
const planEveryMs = 15_000;
/** The API gives an answer again for 250 ms: a request sooner after one would get that from before the change. */
const responseCacheMs = 300;
/** Requests at the same time: for a slow link, and to leave the daemon time for its work. */
const maxConcurrent = 4;

interface LoadState {
  startedMs: number;
  answeredMs: number;
  /** The state of the UPS at that time (`explanationKey`). */
  key: string;
  pending: boolean;
}

export class DetailLoader {
  readonly #explanations = new Map<string, LoadState>();
  readonly #plans = new Map<string, LoadState>();
  #pending = 0;

  constructor(
    readonly clientState: ClientState,
    readonly api: ApiClient,
    readonly changed: () => void,
  ) {}

  /** Loads the data that the shown views need; called after every change. */
  request(explanations: readonly string[], plans: readonly string[]): void {
    for (const group of explanations) this.#explain(group);
    for (const group of plans) this.#plan(group);
  }

  /** Loads everything again: the configuration was reloaded, or the session changed. */
  invalidate(): void {
    this.#explanations.clear();
    this.#plans.clear();
  }

  #explain(group: string): void {
    const { status } = this.clientState;
    const row = [...(status?.ups ?? []), ...(status?.redundancyGroups ?? [])].find(
      ({ groupId }) => groupId === group,
    );
    if (row === undefined) return;
    const single = 'status' in row;
    const key = explanationKey(row);
    const path = `/api/v1/${single ? 'ups' : 'redundancy'}/${encodeURIComponent(group)}/explain`;
    this.#load(
      this.#explanations,
      group,
      key,
      explainEveryMs[isThreatened(row) ? 'outage' : 'linePower'],
      async () => {
        const { triggers, text } = await this.api.get<ExplainBody | GroupExplainBody>(path);
        this.clientState.explanations.set(group, { triggers, text, key, receivedMs: performance.now() });
      },
    );
  }

  #plan(group: string): void {
    const redundant =
      this.clientState.status?.redundancyGroups.some(({ groupId }) => groupId === group) ?? false;
    const path = `/api/v1/${redundant ? 'redundancy' : 'ups'}/${encodeURIComponent(group)}/shutdown-plan`;
    this.#load(this.#plans, group, '', planEveryMs, async () => {
      const { plan } = await this.api.get<PlanBody>(path);
      this.clientState.plans.set(group, plan);
      this.clientState.dryRun = plan.dryRun;
    });
  }

  #load(
    loads: Map<string, LoadState>,
    group: string,
    key: string,
    everyMs: number,
    load: () => Promise<void>,
  ): void {
    const last = loads.get(group);
    if (last?.pending === true || this.#pending >= maxConcurrent) return;
    const now = performance.now();
    if (last?.key === key && now - last.startedMs < everyMs) return;
    if (last !== undefined && now - last.answeredMs < responseCacheMs) {
      setTimeout(this.changed, responseCacheMs);
      return;
    }
    const current: LoadState = { startedMs: now, answeredMs: now, key, pending: true };
    loads.set(group, current);
    this.#pending++;
    void load()
      .catch((error: unknown) => {
        // The page shows the status without it; a later refresh tries again.
        if (!(error instanceof RequestError)) throw error;
      })
      .finally(() => {
        current.pending = false;
        current.answeredMs = performance.now();
        this.#pending--;
        this.changed();
      });
  }
}
