// Codecs of the read model, which the supervisor publishes and GET /api/v1/ups shows
// (specification/api-resources.md#ups-row).
import * as t from 'io-ts';
import {
  AvrState,
  ConnectionDetail,
  ConnectionState,
  GridState,
  MemberHealth,
  OnOffState,
  RemoteStatus,
  TriggerName,
} from './states.js';
import { finite, orNull } from '../base/units.js';

const number = orNull(finite);

/** Raw NUT readings are strings, "" when the UPS does not publish them (specification/api-resources.md#power-quality). */
export const PowerQuality = t.readonly(
  t.type({
    inputVoltage: t.string,
    outputVoltage: t.string,
    batteryVoltage: t.string,
    temperature: t.string,
    inputFrequency: t.string,
    outputFrequency: t.string,
    voltageState: GridState,
    avrState: AvrState,
    bypassState: OnOffState,
    overloadState: OnOffState,
    nominalVoltage: number,
    warningLow: number,
    warningHigh: number,
  }),
  'PowerQuality',
);
export type PowerQuality = t.TypeOf<typeof PowerQuality>;

/** What the driver shows of one phase alone. */
export const PhaseRow = t.readonly(
  t.type({
    /** L1, L2 or L3. */
    phase: t.string,
    /** Where it is measured, as NUT names it (L1-N, L1, L1-L2); "" without a voltage. */
    inputAt: t.string,
    inputVoltage: number,
    outputAt: t.string,
    outputVoltage: number,
    /** Percent. */
    load: number,
    /** Watts. */
    realPower: number,
    /** PHASE_LOST was reported of it, and it is not back. */
    lost: t.boolean,
  }),
  'PhaseRow',
);
export type PhaseRow = t.TypeOf<typeof PhaseRow>;

/** The short row embedded in the group status. Unchanged when a probe repeats the last result. */
export const RemoteHealthShort = t.readonly(
  t.type({
    server: t.string,
    host: t.string,
    status: RemoteStatus,
    consecutiveFailures: finite,
    lastError: orNull(t.string),
  }),
  'RemoteHealthShort',
);
export type RemoteHealthShort = t.TypeOf<typeof RemoteHealthShort>;

/** The full remote-health row (GET /api/v1/remote-health). Times are Unix seconds. */
export const RemoteHealthRow = t.readonly(
  t.type({
    server: t.string,
    host: t.string,
    user: t.string,
    /** The groupId of the UPS or redundancy group that owns the server. */
    group: t.string,
    groupKind: t.union([t.literal('ups'), t.literal('redundancy')]),
    status: RemoteStatus,
    lastCheckedAt: number,
    lastSuccessAt: number,
    lastError: orNull(t.string),
    latencyMs: number,
    consecutiveFailures: finite,
  }),
  'RemoteHealthRow',
);
export type RemoteHealthRow = t.TypeOf<typeof RemoteHealthRow>;

/** The machines that the plan of a UPS or group shuts down: this host, and servers by name, drained ones too. */
const ShutsDown = t.readonly(t.type({ host: t.boolean, servers: t.readonlyArray(t.string) }));

const ValueInDoubt = t.readonly(
  t.type({
    value: t.union([t.literal('charge'), t.literal('runtime')]),
    /** The longest wait for the device to confirm it. */
    seconds: finite,
  }),
);
export type ValueInDoubt = t.TypeOf<typeof ValueInDoubt>;

export const UpsRow = t.readonly(
  t.type({
    name: t.string,
    label: t.string,
    groupId: t.string,
    isLocal: t.boolean,
    /** Words of ups.status separated by spaces; "" before the first reading. */
    status: t.string,
    /** Text of ups.alarm on one line, cut; "" without ALARM. */
    alarm: t.string,
    batteryCharge: number,
    /** Seconds. */
    runtime: number,
    /** Percent. */
    load: number,
    /** Percent per minute, 0 on line power. */
    depletionRate: number,
    /** Seconds, 0 on line power. */
    timeOnBattery: finite,
    powerQuality: PowerQuality,
    /** Empty for a UPS that shows nothing for each phase. */
    phases: t.readonlyArray(PhaseRow),
    connectionState: ConnectionState,
    triggerActive: t.boolean,
    triggerReason: t.union([t.literal(''), TriggerName]),
    /** What contradicts OL; "" for nothing. */
    contradiction: t.string,
    /** What jumped and that the device has not confirmed yet, with the longest wait. */
    valuesInDoubt: t.readonlyArray(ValueInDoubt),
    /** Seconds that the failsafe waits for a stale driver, beyond `failsafe_delay`; null while it does not. */
    staleWait: number,
    /** Triggers that are on and cannot fire, since the UPS does not report what they need. */
    unavailableTriggers: t.readonlyArray(TriggerName),
    /** Seconds on battery by earlier discharges, at the present charge and load; null while unknown. */
    runtimeEstimate: orNull(t.readonly(t.type({ seconds: finite, errorSeconds: finite }))),
    /** Null while connectionState is OK, else the Unix time of the last good reading (null before any). */
    staleSince: number,
    /** Watts. */
    realPower: number,
    transport: t.union([t.literal('network'), t.literal('tools')]),
    connectionDetail: ConnectionDetail,
    shutsDown: ShutsDown,
    remoteHealth: t.readonlyArray(RemoteHealthShort),
    batteryHealth: orNull(t.type({ score: number, replacementDue: t.boolean })),
    selfTest: orNull(t.type({ result: t.string, date: orNull(t.string) })),
  }),
  'UpsRow',
);
export type UpsRow = t.TypeOf<typeof UpsRow>;

export const RedundancyRow = t.readonly(
  t.type({
    groupId: t.string,
    name: t.string,
    upsSources: t.readonlyArray(t.string),
    minHealthy: finite,
    healthyCount: finite,
    quorumLost: t.boolean,
    quorumDeferred: t.boolean,
    members: t.readonlyArray(
      t.readonly(t.type({ name: t.string, health: MemberHealth, effectiveHealth: MemberHealth })),
    ),
    isLocal: t.boolean,
    shutsDown: ShutsDown,
    remoteHealth: t.readonlyArray(RemoteHealthShort),
  }),
  'RedundancyRow',
);
export type RedundancyRow = t.TypeOf<typeof RedundancyRow>;

/** A step of the running or last sequence (specification/api-resources.md#sequence). Times are Unix seconds. */
export const SequenceStep = t.readonly(
  t.type({
    id: t.string,
    phase: t.string,
    target: t.string,
    state: t.union([
      t.literal('pending'),
      t.literal('running'),
      t.literal('done'),
      t.literal('failed'),
      t.literal('skipped'),
    ]),
    startedAt: number,
    endedAt: number,
    budgetSeconds: finite,
    error: orNull(t.string),
    /** What a step that is done has found: "off after 41 s". */
    detail: orNull(t.string),
  }),
  'SequenceStep',
);
export type SequenceStep = t.TypeOf<typeof SequenceStep>;

/** The sequence of one group, running or ended. */
export const SequenceRun = t.readonly(
  t.type({
    active: t.boolean,
    group: t.string,
    startedAt: finite,
    phase: t.string,
    pointOfNoReturn: t.boolean,
    powerBack: t.boolean,
    dryRun: t.boolean,
    steps: t.readonlyArray(SequenceStep),
  }),
  'SequenceRun',
);
export type SequenceRun = t.TypeOf<typeof SequenceRun>;

/** The sequence that runs, of several the one that began last; without one, the last that began. `others` ran beside it. */
export const SequenceModel = t.union(
  [
    t.readonly(t.type({ active: t.literal(false) })),
    t.intersection([SequenceRun, t.readonly(t.type({ others: t.readonlyArray(SequenceRun) }))]),
  ],
  'SequenceModel',
);
export type SequenceModel = t.TypeOf<typeof SequenceModel>;

/** How far a trigger is from firing, on which reading, and what was refused. */
export const TriggerExplanation = t.readonly(
  t.type({
    name: TriggerName,
    armed: t.boolean,
    active: t.boolean,
    threshold: number,
    reading: number,
    /** Seconds. */
    readingAge: number,
    refused: t.readonlyArray(t.string),
    margin: number,
    /** Seconds on battery before which it cannot fire. */
    delay: finite,
    text: t.string,
  }),
  'TriggerExplanation',
);
export type TriggerExplanation = t.TypeOf<typeof TriggerExplanation>;
