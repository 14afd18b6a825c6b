// The supervisor's side of the recorder, between a stand-in of the worker and its callers.
import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { failureOf } from '../../../shared/protocol/contract.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { Supervision } from '../../../supervisor/supervision/supervision.js';
import type { Recalled } from '../../../supervisor/recovery/record-disk.js';
import { RecorderWorker } from '../../../supervisor/workers/recorder.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';

const enabled = `${office}[recovery]\nenabled = true\n[statistics]\ndb_directory = "/srv/ups"\n`;

class Parts {
  readonly time = new FakeTime();
  readonly log: string[] = [];
  readonly specs: {
    readonly settings: unknown;
    readonly hosting: unknown;
    onEvent: Record<string, () => void>;
  }[] = [];
  readonly asked: unknown[] = [];
  state: 'ready' | 'starting' = 'ready';
  answer: (name: string, params: unknown) => Outcome<unknown> = () => ({ ok: true, value: {} });
  readonly worker: RecorderWorker;

  constructor(text: string) {
    const handle = {
      reconfigure: () => undefined,
      request: (name: string, params: unknown, deadlineMs: number) => {
        this.asked.push([name, params, deadlineMs]);
        return Promise.resolve(
          this.state === 'ready'
            ? this.answer(name, params)
            : failureOf('WORKER_GONE', 'recorder is not ready'),
        );
      },
    };
    const supervision = {
      start: (spec: Parts['specs'][number]) => {
        this.specs.push(spec);
        return Object.defineProperty(handle, 'state', { get: () => this.state });
      },
    } as unknown as Pick<Supervision, 'start'>;
    this.worker = new RecorderWorker(supervision, {
      clock: this.time,
      log: loggerTo(
        'supervisor',
        this.time,
        ({ level, message }) => void this.log.push(`${level}: ${message}`),
      ),
    });
    this.worker.apply(configurationFrom(text));
  }
}

const part = (more: object): Outcome<unknown> => ({
  ok: true,
  value: { records: [], setAside: [], locked: true, reason: null, next: null, ...more },
});

describe('the recorder of a daemon', () => {
  it('is not started while recovery is off, and keeps and recalls nothing', async () => {
    const { worker, specs } = new Parts(office);
    expect(specs).to.deep.equal([]);
    expect(await worker.keep('office', 'text')).to.have.nested.property('error.code', 'WORKER_GONE');
    expect(await worker.recall()).to.have.nested.property('error.code', 'WORKER_GONE');
  });

  it('has the directory in that of the databases, keeps the account of the supervisor, and starts once', () => {
    const { worker, specs } = new Parts(enabled);
    worker.apply(configurationFrom(enabled));
    worker.apply(configurationFrom(office));
    expect(specs.map(({ settings, hosting }) => ({ settings, hosting }))).to.deep.equal([
      {
        settings: { directory: '/srv/ups/supervisor' },
        hosting: { kind: 'process', user: null, writesAsRoot: true },
      },
    ]);
  });

  it('keeps a record within 10 s, and logs a failure once and its end', async () => {
    const parts = new Parts(enabled);
    expect(await parts.worker.keep('office', 'text')).to.deep.equal({ ok: true, value: {} });
    expect(parts.asked).to.deep.equal([['record.keep', { group: 'office', text: 'text' }, 10_000]]);
    parts.answer = () => failureOf('RECORD_DISK_FULL', 'the disk is full');
    for (const group of ['a', 'b']) await parts.worker.keep(group, 'text');
    parts.answer = () => failureOf('DEADLINE_EXCEEDED', 'overdue');
    expect(await parts.worker.keep('a', 'text')).to.have.nested.property('error.code', 'DEADLINE_EXCEEDED');
    parts.answer = () => ({ ok: true, value: {} });
    for (const group of ['a', 'b']) await parts.worker.keep(group, 'text');
    expect(parts.log).to.deep.equal([
      'warning: the recovery record is not on disk: the disk is full',
      'warning: the recovery record is not on disk: /srv/ups/supervisor does not answer within 10 s. Shutdowns happen as configured and wait for no disk. Check that disk (dmesg); the next change is written again.',
      'info: the recovery record is on disk again',
    ]);
  });

  it('recalls all parts within 10 s together', async () => {
    const parts = new Parts(enabled);
    const parted = [
      part({ records: [{ group: 'a', text: '1' }], next: 'a.json' }),
      part({ setAside: [{ file: 'x.json.set-aside-1', reason: 'it was cut' }], next: 'b.json' }),
      part({ records: [{ group: 'c', text: '3' }] }),
    ];
    parts.answer = () => {
      return parted.shift() as Outcome<unknown>;
    };
    const recalled = (await parts.worker.recall()) as { readonly value: Recalled };
    expect(recalled.value.records.map(({ group }) => group)).to.deep.equal(['a', 'c']);
    expect(parts.asked.map((asked) => (asked as unknown[])[1])).to.deep.equal([
      { after: '' },
      { after: 'a.json' },
      { after: 'b.json' },
    ]);
    expect(parts.log).to.deep.equal([
      'warning: the recovery record /srv/ups/supervisor/x.json.set-aside-1 is not used: it was cut. What it had recorded is not started again; start it yourself',
    ]);
  });

  it('has what is not used set aside, 200 at a time, and says where each is now', async () => {
    const parts = new Parts(enabled);
    const unused = Array.from({ length: 201 }, (_, number) => ({
      group: `g${String(number)}`,
      reason: 'it is of another machine',
    }));
    const setAside = [{ file: 'x.json.set-aside-1', reason: 'it is of another machine' }];
    parts.answer = () => ({ ok: true, value: { setAside: parts.asked.length === 1 ? setAside : [] } });
    expect(await parts.worker.setAside(unused)).to.have.property('ok', true);
    const sizes = parts.asked.map((asked) => (asked as [string, { records: unknown[] }])[1].records.length);
    expect(sizes).to.deep.equal([200, 1]);
    expect(parts.log).to.deep.equal([
      'warning: the recovery record /srv/ups/supervisor/x.json.set-aside-1 is not used: it is of another machine. What it had recorded is not started again; start it yourself',
    ]);
  });

  it('says once that what is not used cannot be set aside', async () => {
    const parts = new Parts(enabled);
    parts.answer = () => failureOf('RECORD_READ_ONLY', 'it is read-only');
    const unused = [{ group: 'office', reason: 'it is of another machine' }];
    const text =
      'what lies in its place is not used (it is of another machine) and not set aside: it is read-only';
    for (let asked = 0; asked < 2; asked += 1)
      expect(await parts.worker.setAside(unused)).to.have.nested.property('error.message', text);
    expect(parts.log).to.deep.equal([`warning: the recovery record is not on disk: ${text}`]);
  });

  it('ends a recall whose parts do not go on', async () => {
    const parts = new Parts(enabled);
    parts.answer = () => part({ next: 'a.json' });
    expect(await parts.worker.recall()).to.have.nested.property('error.code', 'WORKER_ERROR');
  });

  it('says that there is no recovery without the lock', async () => {
    const parts = new Parts(enabled);
    parts.answer = () => part({ locked: false, reason: '/srv/ups/supervisor is in use by another daemon' });
    for (let asked = 0; asked < 3; asked += 1)
      expect(await parts.worker.recall()).to.have.nested.property('value.locked', false);
    expect(parts.log).to.deep.equal([
      'warning: there is no recovery after an outage: /srv/ups/supervisor is in use by another daemon',
    ]);
  });

  it('says of a recall that is not answered that it is read again', async () => {
    const parts = new Parts(enabled);
    parts.answer = () => failureOf('DEADLINE_EXCEEDED', 'overdue');
    for (let asked = 0; asked < 3; asked += 1) await parts.worker.recall();
    expect(parts.log).to.deep.equal([
      'warning: the recovery records are not read: /srv/ups/supervisor does not answer within 10 s. Shutdowns happen as configured and wait for no disk. Check that disk (dmesg); it is read again.',
    ]);
  });

  it('waits with a recall for the start of the worker, within the same 10 s', async () => {
    const parts = new Parts(enabled);
    parts.state = 'starting';
    const recalling = parts.worker.recall();
    await parts.time.pass(4_000);
    parts.worker.tick();
    await settled();
    expect(parts.asked).to.deep.equal([]);
    parts.state = 'ready';
    parts.answer = () => part({});
    parts.worker.workerReady();
    expect(await recalling).to.have.property('ok', true);
    expect(parts.asked).to.deep.equal([['record.recall', { after: '' }, 6_000]]);
  });

  it('gives a recall up when the worker does not start', async () => {
    const parts = new Parts(enabled);
    parts.state = 'starting';
    const recalling = parts.worker.recall();
    await parts.time.pass(10_000);
    parts.worker.tick();
    expect(await recalling).to.have.nested.property('error.code', 'WORKER_GONE');
  });

  it('says once that it could not leave the network', () => {
    const parts = new Parts(enabled);
    for (let start = 0; start < 3; start += 1) parts.specs[0]?.onEvent['network.kept']?.();
    expect(parts.log).to.have.lengthOf(1);
    expect(parts.log[0]).to.match(/^warning: the recorder, which runs as root, keeps the network/);
  });
});
