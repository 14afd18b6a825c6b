// What the page knows of the daemon, how old that is, and what it does not know. Holds, and asks nothing.
import type { EventRow, ExplainBody, PlanBody, ReadyBody, StatusBody } from '../../shared/http/bodies.js';
import type { RedundancyRow, SequenceModel, UpsRow } from '../../shared/domain/status-model.js';
import { onBattery } from '../../shared/domain/wording.js';

/** `connecting` until the first answer; `locked`: it answers, but only to who is signed in. */
export type Contact = 'connecting' | 'streaming' | 'polling' | 'lost' | 'locked';

export type Plan = PlanBody['plan'];
export interface Explanation extends Pick<ExplainBody, 'triggers' | 'text'> {
  /** What the UPS or group said when it was asked for (`saidBy`). */
  readonly said: string;
}

export interface Knowledge {
  contact: Contact;
  /** Milliseconds of performance.now() of the last answer, null before any. */
  answeredMs: number | null;
  status: StatusBody | null;
  sequence: SequenceModel;
  ready: ReadyBody | null;
  /** The daemon's clock minus this browser's, in seconds: ages are counted on the daemon's. */
  clockOffset: number;
  /** By groupId, for the UPSes and redundancy groups that were asked for. */
  readonly explanations: Map<string, Explanation>;
  readonly plans: Map<string, Plan>;
  /** By groupId: what the page itself foresees, where that is worse than what the UPS promises. */
  readonly outlooks: Map<string, string>;
  /** Newest last; those that came while the page was open. */
  readonly liveEvents: EventRow[];
  /** How many have come in all; those before the last few are no longer among them. */
  liveCount: number;
}

export function nothingKnown(): Knowledge {
  return {
    contact: 'connecting',
    answeredMs: null,
    status: null,
    sequence: { active: false },
    ready: null,
    clockOffset: 0,
    explanations: new Map(),
    plans: new Map(),
    outlooks: new Map(),
    liveEvents: [],
    liveCount: 0,
  };
}

/** Unix seconds on the daemon's clock. */
export function nowSeconds({ clockOffset }: Knowledge): number {
  return Date.now() / 1000 + clockOffset;
}

/** How long the daemon has said nothing, in seconds. */
export function silentSeconds({ answeredMs }: Knowledge): number {
  return answeredMs === null ? 0 : (performance.now() - answeredMs) / 1000;
}

/** True when everything shown may be wrong by now. */
export function cutOff({ contact }: Knowledge): boolean {
  return contact === 'lost' || contact === 'locked';
}

/** A reading this old is no longer "now": a healthy daemon polls every second, and at most every 30. */
const agedSeconds = 35;

export interface Freshness {
  /** Seconds since the last good reading; null before any. */
  readonly ageSeconds: number | null;
  /** What is shown of this UPS must not be taken for its present state. */
  readonly stale: boolean;
}

export function freshnessOf(known: Knowledge, row: UpsRow): Freshness {
  const last =
    known.ready?.ups?.find(({ groupId }) => groupId === row.groupId)?.lastUpdateTime ?? row.staleSince;
  const ageSeconds = last === null ? null : Math.max(0, nowSeconds(known) - last);
  const stale = cutOff(known) || row.connectionState !== 'OK' || (ageSeconds ?? 0) > agedSeconds;
  return { ageSeconds, stale };
}

/** What an explanation depends on, of what is shown. */
export function saidBy(row: UpsRow | RedundancyRow): string {
  return 'status' in row ? [row.status, row.connectionState, row.triggerReason].join() : JSON.stringify(row);
}

/** The account of a UPS or group in words; undefined when the one that is known was given before its state changed. */
export function accountOf({ explanations }: Knowledge, row: UpsRow | RedundancyRow): string | undefined {
  const known = explanations.get(row.groupId);
  return known?.said === saidBy(row) ? known.text : undefined;
}

export function inOutage({ status, sequence }: Knowledge): boolean {
  return sequence.active || (status?.ups.some((row) => onBattery(row) || row.triggerActive) ?? false);
}

/** The redundancy group a UPS is a member of, if any: its plan is the group's. */
export function groupOf({ status }: Knowledge, row: UpsRow): string {
  const group = status?.redundancyGroups.find(({ upsSources }) => upsSources.includes(row.name));
  return group?.groupId ?? row.groupId;
}
