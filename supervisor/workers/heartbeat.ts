// The heartbeat: at each interval, and only while the daemon does its job, the worker sends a request to another service, which
// alarms when none comes. Nothing waits for it. Started when it is first configured.
import type { HeartbeatSettings } from '../../shared/protocol/heartbeat.js';
import { heartbeatContract } from '../../shared/protocol/heartbeat.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Configuration } from '../config/configuration/configuration.js';
import type { ModelSource } from '../read-model/publisher.js';
import type { Supervision } from '../supervision/supervision.js';
import { SingleWorker, workerSpec } from './managed-worker.js';

/** The worker gives up after 10 s. */
const sendMs = 15_000;
/** After a failed one, or the interval where that is shorter: one lost packet is no alarm. */
const retryMs = 30_000;

type Work = Configuration['heartbeat'];

export interface HeartbeatDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly model: ModelSource;
}

export class HeartbeatWorker extends SingleWorker<typeof heartbeatContract> {
  readonly #deps: HeartbeatDependencies;
  #work: Work = { url: null, everyMs: 0, when: 'alive' };
  #dueMs = 0;
  #isUnderWay = false;
  /** Why none is sent or taken, as logged; empty while all is well. */
  #lastFailure = '';

  constructor(supervision: Pick<Supervision, 'start'>, deps: HeartbeatDependencies) {
    super(heartbeatContract, supervision);
    this.#deps = deps;
  }

  /** While it is off, a started worker stays idle. */
  apply(configuration: Configuration): void {
    const { heartbeat, notifications, supervisor } = configuration;
    if (JSON.stringify(heartbeat) !== JSON.stringify(this.#work)) this.#dueMs = 0;
    this.#work = heartbeat;
    const settings: HeartbeatSettings = { url: heartbeat.url, proxies: notifications.proxies };
    const spec = workerSpec(heartbeatContract, {
      hosting: { kind: 'process', user: supervisor.workerUsers.net },
      settings,
      onEvent: {},
      asks: {},
    });
    this.configure(spec, heartbeat.url !== null);
  }

  /** One that is due is sent as soon as its condition holds. */
  tick(): void {
    const { url, everyMs, when } = this.#work;
    const nowMs = this.#deps.clock.monotonicMs();
    if (url === null || this.#isUnderWay || !this.isReady || nowMs < this.#dueMs) return;
    const reason = this.#silence(when);
    if (reason !== null) {
      this.#logChange(`no heartbeat is sent: ${reason}`);
      return;
    }
    this.#dueMs = nowMs + everyMs;
    this.#isUnderWay = true;
    void this.request('heartbeat.send', {}, sendMs).then((outcome) => {
      this.#isUnderWay = false;
      this.#logChange(outcome.ok ? '' : `the heartbeat was not taken: ${outcome.error.message}`);
      if (!outcome.ok) this.#dueMs = Math.min(this.#dueMs, this.#deps.clock.monotonicMs() + retryMs);
    });
  }

  #silence(when: Work['when']): string | null {
    const { model } = this.#deps;
    const unread = model
      .order()
      .map((groupId) => model.ups(groupId).row)
      .find(({ connectionState }) => connectionState !== 'OK');
    if (unread !== undefined) return `${unread.label} is not read (${unread.connectionDetail})`;
    if (when === 'alive') return null;
    const { ready, remoteHealth } = model.rest();
    if (!ready.ready) return ready.reasons[0] ?? 'the daemon is not ready';
    const unhealthy = remoteHealth.find(({ status }) => status !== 'HEALTHY' && status !== 'DISABLED');
    return unhealthy === undefined ? null : `the server ${unhealthy.server} is ${unhealthy.status}`;
  }

  /** Each change once, not each interval. */
  #logChange(failure: string): void {
    if (failure === this.#lastFailure) return;
    const before = this.#lastFailure;
    this.#lastFailure = failure;
    if (failure !== '') this.#deps.log.warning(failure);
    else if (before !== '') this.#deps.log.info('heartbeats are sent again');
  }
}
