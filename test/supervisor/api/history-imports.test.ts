import { expect } from 'chai';
import type { HistoryOrder } from '../../../shared/protocol/api.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ImportResult } from '../../../shared/protocol/history-import.js';
import { HistoryImports } from '../../../supervisor/api/history-imports.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { FakeTime } from '../../fixtures/fake-time.js';

const added = (readings: number): ImportResult => ({
  ...{ readings, fiveMinute: 0, hourly: 0, events: 0, outages: 0, present: 3, refused: 0 },
});
const order = (id: string, isLast = false, isDryRun = false, groupId = 'office'): HistoryOrder => ({
  ...{ principal: 'local', id, isLast },
  batch: { groupId, source: 'upslog', isDryRun, buckets: [], events: [], outages: [] },
});

describe('imports of history', () => {
  let time: FakeTime;
  let recorded: RecordedEvent[];
  let running: boolean;
  let stored: Outcome<ImportResult>;
  let asked: number;
  let answer: (() => void) | undefined;
  let imports: HistoryImports;
  beforeEach(() => {
    time = new FakeTime();
    recorded = [];
    running = false;
    stored = { ok: true, value: added(10) };
    asked = 0;
    answer = undefined;
    imports = new HistoryImports({
      hasUps: (group) => group === 'office',
      isSequenceRunning: () => running,
      importHistory: async () => {
        asked += 1;
        if (answer !== undefined) await new Promise<void>((resolve) => (answer = resolve));
        return stored;
      },
      record: (event) => void recorded.push(event),
      setTimer: time.setTimer,
    });
  });
  const details = () => recorded.map(({ detail }) => detail);
  const codeOf = (outcome: Outcome<unknown>) => (outcome.ok ? 'OK' : outcome.error.code);

  it('leave an audit row when they begin and when they end', async () => {
    await imports.take(order('a'));
    await imports.take(order('a'));
    await imports.take(order('a', true));
    expect(recorded[0]).to.deep.equal({
      ...{ source: 'office', type: 'HISTORY_IMPORTED', detail: 'local: import from upslog: begun' },
    });
    expect(details().slice(1)).to.deep.equal(['local: import from upslog: 30 rows']);
    await time.pass(120_000);
    expect(recorded).to.have.lengthOf(2);
  });

  it('leave one row when all of it is there already, and none as a dry run', async () => {
    stored = { ok: true, value: added(0) };
    await imports.take(order('a'));
    await imports.take(order('a', true));
    expect(details()).to.deep.equal(['local: import from upslog: 0 rows']);
    await imports.take(order('b', true, true));
    expect(recorded).to.have.lengthOf(1);
  });

  it('that stop are recorded with what they have added', async () => {
    await imports.take(order('a'));
    await time.pass(59_000);
    await imports.take(order('a'));
    await time.pass(59_000);
    expect(recorded).to.have.lengthOf(1);
    await time.pass(1_000);
    expect(details().at(-1)).to.equal('local: import from upslog: failed: not finished, 20 rows were added');
    await imports.take(order('b'));
    imports.ended();
    expect(details().at(-1)).to.equal('local: import from upslog: failed: not finished, 10 rows were added');
    await time.pass(120_000);
    expect(recorded).to.have.lengthOf(4);
  });

  it('are refused in a shutdown sequence and for a UPS that is not configured', async () => {
    expect(codeOf(await imports.take(order('a', false, false, 'other')))).to.equal('NOT_FOUND');
    running = true;
    expect(codeOf(await imports.take(order('a')))).to.equal('CONFLICT');
    expect(asked).to.equal(0);
    expect(recorded).to.deep.equal([]);
  });

  it('send storage one batch at a time, and are at most four', async () => {
    answer = () => undefined;
    const first = imports.take(order('a'));
    expect(codeOf(await imports.take(order('b')))).to.equal('BUSY');
    expect(asked).to.equal(1);
    answer();
    expect(codeOf(await first)).to.equal('OK');
    answer = undefined;
    for (const id of ['b', 'c', 'd']) expect(codeOf(await imports.take(order(id)))).to.equal('OK');
    expect(codeOf(await imports.take(order('e')))).to.equal('BUSY');
    expect(codeOf(await imports.take(order('d', true)))).to.equal('OK');
    expect(codeOf(await imports.take(order('e')))).to.equal('OK');
  });

  it('pass on why storage did not take a batch, and count nothing of it', async () => {
    stored = { ok: false, error: { code: 'DISK_FULL', message: 'no space' } };
    expect(codeOf(await imports.take(order('a', true)))).to.equal('DISK_FULL');
    expect(recorded).to.deep.equal([]);
    stored = { ok: true, value: added(1) };
    expect(codeOf(await imports.take(order('a', true)))).to.equal('OK');
    expect(details()).to.deep.equal(['local: import from upslog: 1 rows']);
  });
});
