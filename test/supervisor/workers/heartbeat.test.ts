// When a heartbeat is sent, between a stand-in of the worker and of what the daemon knows.
import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { HeartbeatWorker } from '../../../supervisor/workers/heartbeat.js';
import type { ModelSource } from '../../../supervisor/read-model/publisher.js';
import type { Supervision } from '../../../supervisor/supervision/supervision.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';

const address = 'https://hc.example/ping/0a1b2c3d-secret';
const toml = (more = ''): string => `${office}[heartbeat]\nurl = "${address}"\nevery = 60\n${more}`;

class Parts {
  readonly time = new FakeTime();
  readonly log: string[] = [];
  row = { label: 'Office', connectionState: 'OK', connectionDetail: 'OK' } as {
    label: string;
    connectionState: 'OK' | 'GRACE_PERIOD' | 'FAILED';
    connectionDetail: 'OK' | 'TIMEOUT';
  };
  ready = { ready: true, reasons: [] as string[] };
  servers: { server: string; status: 'HEALTHY' | 'DEGRADED' | 'UNKNOWN' | 'DISABLED' }[] = [];
  state: 'ready' | 'backoff' = 'ready';
  starts = 0;
  sent: number[] = [];
  answer: Promise<Outcome<object>> = Promise.resolve({ ok: true, value: {} });
  readonly worker: HeartbeatWorker;

  constructor(text = toml()) {
    const handle = {
      reconfigure: () => undefined,
      request: () => {
        this.sent.push(this.time.monotonicMs());
        return this.answer;
      },
    };
    const supervision = {
      start: () => {
        this.starts += 1;
        return Object.defineProperty(handle, 'state', { get: () => this.state });
      },
    } as unknown as Pick<Supervision, 'start'>;
    this.worker = new HeartbeatWorker(supervision, {
      clock: this.time,
      log: loggerTo(
        'supervisor',
        this.time,
        ({ level, message }) => void this.log.push(`${level}: ${message}`),
      ),
      model: {
        order: () => ['office'],
        ups: () => ({ row: this.row }),
        rest: () => ({ ready: this.ready, remoteHealth: this.servers }),
      } as unknown as ModelSource,
    });
    this.worker.apply(configurationFrom(text));
  }

  async pass(seconds: number): Promise<number> {
    const before = this.sent.length;
    for (let passed = 0; passed < seconds * 1000; passed += 500) {
      await this.time.pass(500);
      this.worker.tick();
      await settled();
    }
    return this.sent.length - before;
  }
}

describe('the heartbeat', () => {
  it('starts no worker while it is not configured', async () => {
    const parts = new Parts(office);
    expect([parts.starts, await parts.pass(600)]).to.deep.equal([0, 0]);
  });

  it('is sent at once and then at each interval, and writes nothing to the log', async () => {
    const parts = new Parts();
    expect(await parts.pass(1)).to.equal(1);
    expect(await parts.pass(600)).to.equal(10);
    expect(parts.log).to.deep.equal([]);
  });

  it('ends while a UPS is not read, and goes on with the first reading', async () => {
    const parts = new Parts();
    await parts.pass(1);
    parts.row = { label: 'Office', connectionState: 'GRACE_PERIOD', connectionDetail: 'TIMEOUT' };
    expect(await parts.pass(600)).to.equal(0);
    parts.row = { label: 'Office', connectionState: 'OK', connectionDetail: 'OK' };
    expect(await parts.pass(1)).to.equal(1);
    expect(parts.log).to.deep.equal([
      'warning: no heartbeat is sent: Office is not read (TIMEOUT)',
      'info: heartbeats are sent again',
    ]);
  });

  it('with "alive" looks at no server, with "ready" at every one', async () => {
    const alive = new Parts();
    alive.ready = { ready: false, reasons: ['the command ssh is missing'] };
    alive.servers = [{ server: 'nas', status: 'DEGRADED' }];
    expect(await alive.pass(61)).to.equal(2);

    const ready = new Parts(toml('when = "ready"\n'));
    ready.servers = [
      { server: 'nas', status: 'HEALTHY' },
      { server: 'spare', status: 'DISABLED' },
    ];
    expect(await ready.pass(1)).to.equal(1);
    for (const status of ['DEGRADED', 'UNKNOWN'] as const) {
      ready.servers = [{ server: 'nas', status }];
      expect(await ready.pass(300), status).to.equal(0);
    }
    ready.servers = [];
    ready.ready = { ready: false, reasons: ['the command ssh is missing'] };
    expect(await ready.pass(300)).to.equal(0);
    expect(ready.log).to.deep.equal([
      'warning: no heartbeat is sent: the server nas is DEGRADED',
      'warning: no heartbeat is sent: the server nas is UNKNOWN',
      'warning: no heartbeat is sent: the command ssh is missing',
    ]);
  });

  it('is repeated after half a minute when it was not taken, and says so once', async () => {
    const parts = new Parts(toml().replace('every = 60', 'every = 300'));
    parts.answer = Promise.resolve({ ok: false, error: { code: 'X', message: 'nothing listens' } });
    await parts.pass(1);
    expect(await parts.pass(90)).to.equal(3);
    parts.answer = Promise.resolve({ ok: true, value: {} });
    expect(await parts.pass(30)).to.equal(1);
    expect(await parts.pass(299)).to.equal(0);
    expect(parts.log).to.deep.equal([
      'warning: the heartbeat was not taken: nothing listens',
      'info: heartbeats are sent again',
    ]);
    expect(parts.log.join()).not.to.contain('secret');
  });

  it('waits for the one before, however long it takes, and for a worker that restarts', async () => {
    const parts = new Parts();
    parts.answer = new Promise(() => undefined);
    expect(await parts.pass(600)).to.equal(1);
    const other = new Parts();
    other.state = 'backoff';
    expect(await other.pass(600)).to.equal(0);
    other.state = 'ready';
    expect(await other.pass(1)).to.equal(1);
  });

  it('follows the monotonic clock: a step of the wall clock changes nothing', async () => {
    const parts = new Parts();
    await parts.pass(1);
    parts.time.step(-86_400);
    expect(await parts.pass(60)).to.equal(1);
    parts.time.step(86_400 * 2);
    expect(await parts.pass(59)).to.equal(0);
  });

  it('takes a changed configuration at once, and ends when it is removed', async () => {
    const parts = new Parts();
    await parts.pass(1);
    parts.worker.apply(configurationFrom(toml().replace('hc.example', 'other.example')));
    expect(await parts.pass(1)).to.equal(1);
    parts.worker.apply(configurationFrom(toml().replace('hc.example', 'other.example')));
    expect(await parts.pass(1)).to.equal(0);
    parts.worker.apply(configurationFrom(office));
    expect(await parts.pass(600)).to.equal(0);
  });
});
