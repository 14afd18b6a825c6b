// The notify worker of the supervisor between stand-ins of storage and the worker.
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { OpenAlarm } from '../../../supervisor/notifications/open-alarms.js';
import { NotifyWorker } from '../../../supervisor/workers/notify.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';
import { StorageStandIn, WorkerStandIn } from '../notification-parts.js';

export const urls = 'urls = ["ntfys://ntfy.example/one", "gotify://10.0.0.2/Secret-Token-2"]';
export const configuration = configurationFrom(
  `${office}[notifications]\n${urls}\nsuppress = ["POWER_RESTORED"]\n`,
);
export const services = configuration.notifications.services.map(({ id }) => id);

export class Parts {
  readonly time = new FakeTime();
  readonly storage = new StorageStandIn();
  readonly worker = new WorkerStandIn();
  readonly log: LogRecord[] = [];
  readonly notifications: NotifyWorker;
  open: readonly OpenAlarm[] = [];

  constructor(given = configuration) {
    this.notifications = new NotifyWorker({ start: this.worker.start }, given, {
      storage: this.storage.handle,
      clock: this.time,
      log: loggerTo('supervisor', this.time, (record) => this.log.push(record)),
      bootId: 'boot',
      run: 'run',
      open: () => this.open,
    });
    this.notifications.apply(given);
  }

  ready(): void {
    this.worker.begin();
    this.notifications.workerReady();
  }

  lost(): void {
    this.worker.crash();
    this.notifications.workerLost();
  }

  tell(detail = 'Office is on battery.'): void {
    this.notifications.notify({ source: 'office', type: 'ON_BATTERY', detail });
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      await this.time.pass(250);
      this.notifications.tick();
      await settled();
    }
  }
}
