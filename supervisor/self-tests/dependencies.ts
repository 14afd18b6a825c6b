// What the battery tests need of the daemon.
import type { pollerContract } from '../../shared/protocol/poller.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { ShutdownEngine } from '../engine/engine.js';
import type { RecordedEvent } from '../events/event-recorder.js';
import type { WorkerHandle } from '../supervision/worker-spec.js';
import type { TestMemoryDependencies } from './test-memory.js';

export interface SelfTestDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly storage: TestMemoryDependencies['storage'];
  readonly engine: () => Pick<ShutdownEngine, 'state' | 'isSequenceRunning' | 'tested'>;
  readonly poller: (groupId: string) => Pick<WorkerHandle<typeof pollerContract>, 'request'> | undefined;
  readonly record: (event: RecordedEvent) => void;
  readonly changed: (groupId: string) => void;
  /** The health score of the battery is critical. */
  readonly isBatteryCritical: (groupId: string) => boolean;
}
