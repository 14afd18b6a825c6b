// Builds the read model from policy's state, the poll statistics, the sequences and the workers.
import type { BatteryHealth } from '../../shared/domain/ups/battery/health.js';
import type { Energy } from '../../shared/domain/ups/energy.js';
import { missingStatus } from '../../shared/domain/ups/missing-status.js';
import { copyWarning } from '../../shared/domain/ups/copied-ups.js';
import { returnWarning } from '../../shared/domain/ups/output-return.js';
import type { RecoveryStatus } from '../../shared/domain/recovery/recovery-status.js';
import type { SelfTest } from '../../shared/domain/ups/self-test.js';
import type { ModelChange, PublishedUps, ReadyModel } from '../../shared/protocol/api.js';
import type {
  RedundancyRow,
  RemoteHealthRow,
  RemoteHealthShort,
  SequenceModel,
} from '../../shared/domain/status/status-model.js';
import type { Configuration, RemoteServerConfiguration } from '../config/configuration/configuration.js';
import { needsOfUps } from '../config/programs/programs.js';
import type { PolicyState } from '../policy/state/state.js';
import { groupOf, upsOf } from '../policy/state/state.js';
import { redundancyRow, upsRow } from '../policy/view/view.js';
import { plansOf } from '../config/derive/plans.js';
import type { ModelSource } from './publisher.js';
import { leftBehind, shutsDownOf } from '../config/derive/feeds.js';
import { hostDelegation } from '../config/derive/host-delegate.js';
import { remoteServersOf } from '../config/derive/ssh-access.js';
import type { ReadinessDependencies } from './readiness.js';
import { readiness } from './readiness.js';
import type { WorkerView } from '../supervision/supervision.js';
import type { PollStatistics } from './poll-statistics.js';

/** The results of the probes of remote servers. */
export interface RemoteHealthView extends Pick<ReadinessDependencies, 'obstacles' | 'unchecked' | 'paused'> {
  /** Of all configured servers. */
  readonly rows: readonly RemoteHealthRow[];
  /** Of a UPS or redundancy group. */
  shown(groupId: string): readonly RemoteHealthShort[];
}

export interface RecoveryView extends Pick<ReadinessDependencies, 'down' | 'guestsOff' | 'wayBack'> {
  readonly status: RecoveryStatus;
}

export interface ReadModelDependencies {
  state(): PolicyState;
  configuration(): Configuration;
  sequence(): SequenceModel;
  workers(): readonly WorkerView[];
  readonly telemetry: PollStatistics;
  energyOf(groupId: string): Energy | null;
  batteryOf(groupId: string): BatteryHealth | null;
  selfTestOf(groupId: string): SelfTest | null;
  nextTestOf(groupId: string): number | null;
  missingPrograms(): readonly string[];
  remoteHealth(): RemoteHealthView;
  /** Why the daemon cannot log in to a server, as far as is known without a login. */
  problemOf(server: RemoteServerConfiguration): string | null | undefined;
  /** Why it cannot be found out whether a server is off; null: no reason is known. */
  recovery(): RecoveryView;
  offCheckTrouble(): string | null;
  loginTrouble(): ReadonlyMap<string, string>;
  /** Exceptions of policy in the last ten minutes, in words; null: there were none. */
  policyTrouble(): string | null;
  /** Figures of single workers. */
  figures(): Pick<ModelChange, 'storage' | 'notifications' | 'mqttConnected'>;
}

export function readModel(deps: ReadModelDependencies): ModelSource {
  const order = () => deps.configuration().ups.map(({ policy }) => policy.groupId);
  const ready = (): ReadyModel => {
    const configuration = deps.configuration();
    const { rows, obstacles, unchecked, paused } = deps.remoteHealth();
    return readiness({
      rows: order().map((groupId) => upsRow(deps.state(), groupId)),
      plans: plansOf(configuration),
      workers: deps.workers(),
      missingPrograms: deps.missingPrograms(),
      toolNeeds: new Map(configuration.ups.map((ups) => [ups.policy.groupId, needsOfUps(ups)])),
      servers: new Map(remoteServersOf(configuration).map((server) => [server.name, deps.problemOf(server)])),
      offCheckTrouble: deps.offCheckTrouble(),
      loginTrouble: deps.loginTrouble(),
      policyTrouble: deps.policyTrouble(),
      remoteHealth: rows,
      obstacles,
      unchecked,
      paused,
      down: deps.recovery().down,
      guestsOff: deps.recovery().guestsOff,
      wayBack: deps.recovery().wayBack,
      startupCheck: configuration.remoteHealth.startupCheck,
      delegation: hostDelegation(configuration),
      leftBehind: leftBehind(configuration),
      outputWarnings: new Map(
        configuration.ups.flatMap(({ policy: { groupId }, output }) => {
          const text =
            output === null ? '' : returnWarning(output, deps.telemetry.variables(groupId) ?? {}, null);
          return text === '' ? [] : [[groupId, text] as const];
        }),
      ),
      copyWarnings: new Map(
        order().flatMap((groupId) => {
          const text = copyWarning(deps.telemetry.variables(groupId) ?? {});
          return text === '' ? [] : [[groupId, text] as const];
        }),
      ),
      missingStatus: new Map(
        order().flatMap((groupId) => {
          const text = missingStatus(deps.telemetry.variables(groupId) ?? {});
          return text === '' ? [] : [[groupId, text] as const];
        }),
      ),
      services: deps.figures().notifications.services,
    });
  };
  return {
    order,
    ups: (groupId): PublishedUps => {
      const test = deps.selfTestOf(groupId);
      const batteryHealth = deps.batteryOf(groupId);
      return {
        row: {
          ...upsRow(deps.state(), groupId),
          shutsDown: shutsDownOf(deps.configuration(), groupId),
          remoteHealth: deps.remoteHealth().shown(groupId),
          batteryHealth:
            batteryHealth === null
              ? null
              : { score: batteryHealth.score, replacementDue: batteryHealth.replacementDue },
          selfTest: test === null ? null : { result: test.result, date: test.date },
        },
        telemetry: {
          ...deps.telemetry.of(groupId),
          energy: deps.energyOf(groupId),
          batteryHealth,
          selfTest: test,
          nextTest: deps.nextTestOf(groupId),
        },
      };
    },
    stateOf: (groupId) => {
      const row = upsOf(deps.state(), groupId)?.row;
      // A group changes seldom.
      if (row === undefined) return JSON.stringify(groupOf(deps.state(), groupId)?.row ?? null);
      const { status, connectionState, connectionDetail, triggerReason, powerQuality } = row;
      const { voltageState, avrState, bypassState, overloadState } = powerQuality;
      return [
        status,
        connectionState,
        connectionDetail,
        triggerReason,
        voltageState,
        avrState,
        bypassState,
        overloadState,
      ].join();
    },
    redundancyGroups: (): readonly RedundancyRow[] =>
      deps.configuration().redundancyGroups.map(({ policy }) => ({
        ...redundancyRow(deps.state(), policy.groupId),
        shutsDown: shutsDownOf(deps.configuration(), policy.groupId),
        remoteHealth: deps.remoteHealth().shown(policy.groupId),
      })),
    rest: () => ({
      ...deps.figures(),
      sequence: deps.sequence(),
      remoteHealth: [...deps.remoteHealth().rows],
      recovery: deps.recovery().status,
      ready: ready(),
    }),
  };
}
