// The state that the page has received from the daemon, and its age. Sends no request.
import type { EventRow, ExplainBody, PlanBody, ReadyBody, StatusBody } from '../../shared/http/bodies.js';
import type { RedundancyRow, SequenceModel, UpsRow } from '../../shared/domain/status/status-model.js';
import { onBattery } from '../../shared/domain/status/wording.js';

/** `connecting` until the first answer; `locked`: the daemon requires a session for reading. */
export type DaemonConnection = 'connecting' | 'streaming' | 'polling' | 'lost' | 'locked';

export type Plan = PlanBody['plan'];
export interface Explanation extends Pick<ExplainBody, 'triggers' | 'text'> {
  /** The state that it explains (`explanationKey`). */
  readonly key: string;
  /** performance.now() of its answer. */
  readonly receivedMs: number;
}

/** A countdown that is older misleads; it is loaded each second in an outage and every 20 s on line power. */
const maxExplanationMs = { outage: 10_000, linePower: 60_000 };

export interface ClientState {
  connection: DaemonConnection;
  /** performance.now() and Date.now() of the last answer; null before the first. */
  lastAnswer: { readonly monotonicMs: number; readonly wallMs: number } | null;
  /** `lost` because a proxy in front of the daemon asks for its own login. */
  atProxyLogin: boolean;
  status: StatusBody | null;
  sequence: SequenceModel;
  ready: ReadyBody | null;
  /** The daemon's clock minus this browser's, in seconds. Ages use the daemon's clock. */
  clockOffset: number;
  /** By groupId, for the UPSes and redundancy groups that a view has requested. */
  readonly explanations: Map<string, Explanation>;
  readonly plans: Map<string, Plan>;
  /** As the last received plan of any group says; null before the first. */
  dryRun: boolean | null;
  /** Events of the stream since the page was opened, newest last. */
  readonly liveEvents: EventRow[];
  /** The number of all events of the stream; `liveEvents` has only the last ones. */
  liveCount: number;
  /** The number of streams so far: an event between two of them is in none. */
  streamCount: number;
}

export function initialState(): ClientState {
  return {
    connection: 'connecting',
    lastAnswer: null,
    atProxyLogin: false,
    status: null,
    sequence: { active: false },
    ready: null,
    clockOffset: 0,
    explanations: new Map(),
    plans: new Map(),
    dryRun: null,
    liveEvents: [],
    liveCount: 0,
    streamCount: 0,
  };
}

/** Unix seconds on the daemon's clock. */
export function nowSeconds({ clockOffset }: ClientState): number {
  return Date.now() / 1000 + clockOffset;
}

/** The wall clock goes on while the machine of the browser sleeps; the other one cannot be set. */
export function secondsSinceAnswer({ lastAnswer }: ClientState): number {
  if (lastAnswer === null) return 0;
  const { monotonicMs, wallMs } = lastAnswer;
  return Math.max(performance.now() - monotonicMs, Date.now() - wallMs) / 1000;
}

/** Unix seconds on the daemon's clock, at which the state was as it is shown: without an answer, the time of the last one. */
export function stateSeconds(clientState: ClientState): number {
  const age = isDisconnected(clientState) ? secondsSinceAnswer(clientState) : 0;
  return nowSeconds(clientState) - age;
}

/** True when the page receives no state: all of it may be out of date. */
export function isDisconnected({ connection }: ClientState): boolean {
  return connection === 'lost' || connection === 'locked';
}

/** An older reading is stale: a healthy daemon polls every second, and at most every 30. */
const staleAfterSeconds = 35;

export interface Freshness {
  /** Seconds since the last good reading; null before the first. */
  readonly ageSeconds: number | null;
  /** The values shown may differ from the current state of the UPS. */
  readonly stale: boolean;
}

export function freshnessOf(clientState: ClientState, row: UpsRow): Freshness {
  const last =
    clientState.ready?.ups?.find(({ groupId }) => groupId === row.groupId)?.lastUpdateTime ?? row.staleSince;
  const ageSeconds = last === null ? null : Math.max(0, nowSeconds(clientState) - last);
  const stale =
    isDisconnected(clientState) || row.connectionState !== 'OK' || (ageSeconds ?? 0) > staleAfterSeconds;
  return { ageSeconds, stale };
}

/** The part of the state that an explanation depends on. */
export function explanationKey(row: UpsRow | RedundancyRow): string {
  if (!('status' in row)) return JSON.stringify(row);
  const { status, connectionState, triggerReason, contradiction, timeOnBattery } = row;
  // The first reading of line power does not end the outage.
  const isEnding = !onBattery(row) && timeOnBattery > 0;
  return [status, connectionState, triggerReason, contradiction, isEnding].join();
}

/** A shutdown of it comes or runs. */
export function isThreatened(row: UpsRow | RedundancyRow): boolean {
  return 'status' in row ? onBattery(row) || row.triggerActive : row.quorumLost;
}

/** The last explanation of a UPS or group; undefined when it is too old. */
export function explanationOf(
  { explanations }: ClientState,
  row: UpsRow | RedundancyRow,
): Explanation | undefined {
  const explanation = explanations.get(row.groupId);
  const ageMs = performance.now() - (explanation?.receivedMs ?? 0);
  return ageMs <= maxExplanationMs[isThreatened(row) ? 'outage' : 'linePower'] ? explanation : undefined;
}

/** It in words; undefined when it is of an earlier state or too old. */
export function explanationText(clientState: ClientState, row: UpsRow | RedundancyRow): string | undefined {
  const explanation = explanationOf(clientState, row);
  return explanation?.key === explanationKey(row) ? explanation.text : undefined;
}

export function inOutage({ status, sequence }: ClientState): boolean {
  return sequence.active || (status?.ups.some((row) => onBattery(row) || row.triggerActive) ?? false);
}

/** The group whose plan shuts down for this UPS: itself if it owns something, else its first redundancy group. */
export function groupOf({ status }: ClientState, row: UpsRow): string {
  if (row.isLocal || row.remoteHealth.length > 0) return row.groupId;
  const group = status?.redundancyGroups.find(({ upsSources }) => upsSources.includes(row.name));
  return group?.groupId ?? row.groupId;
}
