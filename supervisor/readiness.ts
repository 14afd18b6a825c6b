// GET /ready: is monitoring seeing every UPS, and can everything that a shutdown would need be done?
import type { Plan } from '../shared/domain/plan.js';
import type { UpsRow } from '../shared/domain/status-model.js';
import type { ReadyModel } from '../shared/protocol/api.js';
import { needsOf, unmetNeeds } from './config/programs.js';
import type { WorkerView } from './supervision.js';

export interface ReadinessSources {
  readonly rows: readonly UpsRow[];
  readonly plans: readonly Plan[];
  readonly workers: readonly WorkerView[];
  /** Programs the configuration needs and the machine does not have, as found when it was loaded. */
  readonly missingPrograms: readonly string[];
}

/** Contract 4: 503 when any UPS is FAILED or UNKNOWN, or a capability is not achievable. */
export function readiness({ rows, plans, workers, missingPrograms }: ReadinessSources): ReadyModel {
  const unseen = rows
    .filter(({ connectionState }) => connectionState === 'FAILED' || connectionState === 'UNKNOWN')
    .map(
      ({ name, connectionState, connectionDetail }) =>
        `UPS ${name} is ${connectionState} (${connectionDetail})`,
    );
  const capabilities = plans.flatMap((plan) => capabilitiesOf(plan, missingPrograms));
  const unable = capabilities
    .filter(({ achievable }) => !achievable)
    .map(({ id, reason }) => `${id}: ${reason}`);
  const reasons = [...unseen, ...unable];
  return {
    ready: reasons.length === 0,
    reasons,
    capabilities,
    workers: workers.map((worker) => ({ ...worker })),
  };
}

function capabilitiesOf(plan: Plan, missing: readonly string[]): ReadyModel['capabilities'] {
  return plan.phases
    .flatMap(({ steps }) => steps)
    .filter(({ action }) => needsOf(action).length > 0)
    .map(({ id, action }) => {
      const [unmet] = unmetNeeds(action, missing);
      const reason =
        unmet === undefined
          ? ''
          : `the program ${unmet.anyOf.join(' or ')} is not installed or may not be run`;
      return { id: `${plan.group}/${id}`, achievable: unmet === undefined, reason };
    });
}
