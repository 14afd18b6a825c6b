// Codecs of the bodies of the read routes: the server sends them, the page and the command line read them
// (specification/api-resources.md#routes).
import * as t from 'io-ts';
import { EventCategory } from '../domain/status/events.js';
import { MetricName } from '../domain/status/metrics.js';
import { PhaseName } from '../domain/outage/plan.js';
import { Role } from '../domain/status/role.js';
import { ConnectionState } from '../domain/status/states.js';
import { RedundancyRow, TriggerExplanation, UpsRow } from '../domain/status/status-model.js';
import { finite, oneOf, orNull } from '../domain/base/units.js';

/** GET /health */
export const HealthBody = t.type({ status: t.literal('ok'), generatedAt: finite }, 'HealthBody');
export type HealthBody = t.TypeOf<typeof HealthBody>;

/** GET /ready, with 200 or 503. */
export const ReadyBody = t.type(
  {
    ready: t.boolean,
    reasons: t.readonlyArray(t.string),
    capabilities: t.readonlyArray(t.type({ id: t.string, achievable: t.boolean, reason: t.string })),
    ups: t.readonlyArray(
      t.type({ groupId: t.string, connectionState: ConnectionState, lastUpdateTime: orNull(finite) }),
    ),
    workers: t.readonlyArray(t.type({ name: t.string, state: t.string })),
  },
  'ReadyBody',
);
export type ReadyBody = t.TypeOf<typeof ReadyBody>;

/** GET /api/v1/ups and GET /control/v1/status: exactly these keys at the top level. */
export const StatusBody = t.type(
  {
    generatedAt: finite,
    ups: t.readonlyArray(UpsRow),
    redundancyGroups: t.readonlyArray(RedundancyRow),
  },
  'StatusBody',
);
export type StatusBody = t.TypeOf<typeof StatusBody>;

/** GET /control/v1/address: `127.0.0.1:9191`; null while the API listens nowhere. */
export const AddressBody = t.type({ address: orNull(t.string) }, 'AddressBody');
export type AddressBody = t.TypeOf<typeof AddressBody>;

export const Access = t.union([t.literal('open'), t.literal('read'), t.literal('write')], 'Access');
export type Access = t.TypeOf<typeof Access>;

/** GET /api/v1 */
export const IndexBody = t.type(
  {
    generatedAt: finite,
    version: t.string,
    apiVersion: t.literal('v1'),
    endpoints: t.readonlyArray(
      t.intersection([
        t.type({ method: t.string, path: t.string, description: t.string, auth: Access, role: orNull(Role) }),
        t.partial({ query: t.record(t.string, t.string) }),
      ]),
    ),
  },
  'IndexBody',
);
export type IndexBody = t.TypeOf<typeof IndexBody>;

/** GET /api/v1/ups/{name}/readings: every NUT variable, verbatim. */
export const ReadingsBody = t.type({ ups: t.string, readings: t.record(t.string, t.string) }, 'ReadingsBody');
export type ReadingsBody = t.TypeOf<typeof ReadingsBody>;

/** GET /api/v1/ups/{name}/explain */
export const ExplainBody = t.type(
  { ups: t.string, triggers: t.readonlyArray(TriggerExplanation), text: t.string },
  'ExplainBody',
);
export type ExplainBody = t.TypeOf<typeof ExplainBody>;

/** GET /api/v1/redundancy/{group}/explain. */
export const GroupExplainBody = t.type(
  { group: t.string, triggers: t.readonlyArray(TriggerExplanation), text: t.string },
  'GroupExplainBody',
);
export type GroupExplainBody = t.TypeOf<typeof GroupExplainBody>;

/** GET /api/v1/ups/{name}/history. Steps without data are absent, never zero (specification/api-resources.md#history). */
export const HistoryBody = t.type(
  {
    ups: t.string,
    metric: MetricName,
    from: finite,
    to: finite,
    tier: t.union([t.literal('raw'), t.literal('5min'), t.literal('hourly')]),
    stepSeconds: finite,
    data: t.readonlyArray(t.type({ ts: finite, value: finite, min: finite, max: finite })),
  },
  'HistoryBody',
);
export type HistoryBody = t.TypeOf<typeof HistoryBody>;

/** An event as the database stores it: without `ups` and `label`, which come from the configuration. */
const storedEvent = t.type({
  source: t.string,
  id: finite,
  /** Unix seconds, whole. */
  ts: finite,
  /** Any text here: a reader must not fail on an event of a later version. */
  eventType: t.string,
  detail: t.string,
  category: EventCategory,
});
/** The clock was set by that after the event was recorded: `ts` is of before. */
const setAfterwards = t.partial({ clockSetSeconds: finite });
export const StoredEvent = t.intersection([storedEvent, setAfterwards], 'StoredEvent');
export type StoredEvent = t.TypeOf<typeof StoredEvent>;

/** One row of GET /api/v1/events: `source` and `id` together are its key (specification/events.md#event-row). */
export const EventRow = t.intersection(
  [t.type({ ...storedEvent.props, ups: t.string, label: t.string }), setAfterwards],
  'EventRow',
);
export type EventRow = t.TypeOf<typeof EventRow>;

export const EventsBody = t.type({ generatedAt: finite, events: t.readonlyArray(EventRow) }, 'EventsBody');
export type EventsBody = t.TypeOf<typeof EventsBody>;

/** What a step does: `kind` always, the commands only for authenticated callers. */
export const ShownAction = t.intersection([t.type({ kind: t.string }), t.UnknownRecord], 'ShownAction');
export type ShownAction = t.TypeOf<typeof ShownAction>;

export const ShownStep = t.type(
  {
    id: t.string,
    phase: PhaseName,
    target: t.string,
    /** As in `PlanStep`: what runs in parallel, and in which order. */
    lane: t.string,
    rank: finite,
    begins: oneOf('with_phase', 'with_sequence'),
    action: ShownAction,
    budgetSeconds: finite,
    estimateSeconds: finite,
    destructive: t.boolean,
  },
  'ShownStep',
);
export type ShownStep = t.TypeOf<typeof ShownStep>;

/** GET /api/v1/ups/{name}/shutdown-plan: the plan the sequencer would run (`shared/domain/outage/plan.ts`). */
export const PlanBody = t.type(
  {
    ups: t.string,
    plan: t.type({
      group: t.string,
      label: t.string,
      fedBy: t.readonlyArray(t.string),
      phases: t.readonlyArray(
        t.type({
          name: PhaseName,
          steps: t.readonlyArray(ShownStep),
          beginsAfterSeconds: finite,
          budgetSeconds: finite,
          estimateSeconds: finite,
        }),
      ),
      boundSeconds: finite,
      estimateSeconds: finite,
      dryRun: t.boolean,
    }),
  },
  'PlanBody',
);
export type PlanBody = t.TypeOf<typeof PlanBody>;

/** GET /api/v1/redundancy/{group}/shutdown-plan */
export const GroupPlanBody = t.type({ group: t.string, plan: PlanBody.props.plan }, 'GroupPlanBody');
export type GroupPlanBody = t.TypeOf<typeof GroupPlanBody>;

/** GET /control/v1/explain: every UPS, or the one named with `?ups=`. */
export const ExplainAllBody = t.type(
  { ups: t.readonlyArray(ExplainBody), groups: t.readonlyArray(GroupExplainBody) },
  'ExplainAllBody',
);
export type ExplainAllBody = t.TypeOf<typeof ExplainAllBody>;

/** GET /control/v1/plan: every UPS, or the one named with `?ups=`. */
export const PlanAllBody = t.type(
  { plans: t.readonlyArray(PlanBody), groups: t.readonlyArray(GroupPlanBody) },
  'PlanAllBody',
);
export type PlanAllBody = t.TypeOf<typeof PlanAllBody>;

/** POST /control/v1/notifications/test: in the order of the configuration; `message` is empty where it was delivered. */
export const NotificationTestBody = t.type(
  {
    services: t.readonlyArray(
      t.type({ name: t.string, delivered: t.boolean, message: t.string, seconds: finite }),
    ),
  },
  'NotificationTestBody',
);
export type NotificationTestBody = t.TypeOf<typeof NotificationTestBody>;
