import { expect } from 'chai';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { AuditCounts, AuditRecord } from '../../../shared/protocol/api.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { AuditRateLimit } from '../../../supervisor/api/audit-rate-limit.js';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { FakeTime } from '../../fixtures/fake-time.js';

describe('audit rows of the API worker', () => {
  let time: FakeTime;
  let kept: RecordedEvent[];
  let log: LogRecord[];
  let intake: AuditRateLimit;
  beforeEach(() => {
    time = new FakeTime();
    kept = [];
    log = [];
    intake = new AuditRateLimit({
      clock: time,
      log: loggerTo('supervisor', time, (record) => void log.push(record)),
      hasGroup: (group) => group === 'office',
      record: (event) => void kept.push(event),
      setTimer: time.setTimer,
    });
  });
  const row = { type: 'CONTROL_COMMAND', source: 'office', detail: 'user:alice: beeper.mute: ok' } as const;

  it('are recorded under their UPS, and under the daemon when there is no such UPS', () => {
    intake.take(row);
    intake.take({ ...row, source: 'nothing' });
    expect(kept).to.deep.equal([row, { ...row, source: 'daemon' }]);
  });

  it('have an audit type and a bounded length, or are refused', () => {
    expect(AuditRecord.is(row)).to.equal(true);
    expect(AuditRecord.is({ ...row, type: 'ON_BATTERY' })).to.equal(false);
    expect(AuditRecord.is({ ...row, type: 'SHUTDOWN_TRIGGERED' })).to.equal(false);
    expect(AuditRecord.is({ ...row, detail: 'x'.repeat(1025) })).to.equal(false);
    expect(AuditRecord.is({ ...row, source: 'x'.repeat(257) })).to.equal(false);
  });

  it('are accepted up to the burst of ten credentials, and the others are summarized as one row with their count', async () => {
    for (let turn = 0; turn < 3_193; turn += 1) intake.take(row);
    for (let turn = 0; turn < 7; turn += 1) intake.take({ ...row, type: 'LOGIN_FAILURE' });
    expect(kept).to.have.length(3_000);
    expect(log.map(({ level }) => level)).to.deep.equal(['warning']);
    await time.pass(60_000);
    const text = 'more rows of this kind were not kept: more than 5 a second';
    expect(kept.slice(3_000)).to.deep.equal([
      { type: 'CONTROL_COMMAND', source: 'daemon', detail: `api: 193 ${text}` },
      { type: 'LOGIN_FAILURE', source: 'daemon', detail: `api: 7 ${text}` },
    ]);
    await time.pass(3_600_000);
    expect(kept).to.have.length(3_002);
  });

  it('are limited to five a second in the long run, and every other row is counted', async () => {
    let sent = 0;
    for (let second = 0; second < 600; second += 1) {
      for (let turn = 0; turn < 20; turn += 1) intake.take(row);
      sent += 20;
      await time.pass(1_000);
    }
    intake.flush();
    const counts = kept.map(({ detail }) => Number(/^api: (\d+) more rows/.exec(detail)?.[1] ?? 0));
    const single = counts.filter((count) => count === 0).length;
    expect(single).to.be.within(3_000 + 5 * 599, 3_000 + 5 * 600);
    expect(single + counts.reduce((sum, count) => sum + count, 0)).to.equal(sent);
    expect(kept.length - single).to.be.at.most(11);
  });

  it('are counted to the end: the last count is written when the daemon ends, and none follows', async () => {
    for (let turn = 0; turn < 3_005; turn += 1) intake.take(row);
    intake.flush();
    expect(kept.at(-1)?.detail).to.match(/^api: 5 more/);
    expect(time.pendingTimers).to.equal(0);
    intake.flush();
    await time.pass(120_000);
    expect(kept).to.have.length(3_001);
  });

  it('are recorded once as a count when the API worker is killed before it writes them', () => {
    const lost = { type: 'CONTROL_COMMAND', count: 193 } as const;
    const found = { type: 'CONTROL_COMMAND', source: 'daemon' } as const;
    const text = 'more rows of this kind were not written: the API worker was killed';
    intake.counted({ instance: 'first', counts: [] });
    intake.counted({ instance: 'first', counts: [lost] });
    expect(kept).to.deep.equal([]);
    intake.counted({ instance: 'second', counts: [] });
    expect(kept).to.deep.equal([{ ...found, detail: `api: 193 ${text}` }]);
    intake.counted({ instance: 'second', counts: [{ ...lost, count: 7 }] });
    intake.ended();
    intake.ended();
    expect(kept.slice(1)).to.deep.equal([{ ...found, detail: `api: 7 ${text}` }]);
  });

  it('are bounded, also for counts of many workers in a row', () => {
    const counts = [{ type: 'CONTROL_COMMAND', count: 1 } as const];
    for (let turn = 0; turn < 4_000; turn += 1) intake.counted({ instance: String(turn), counts });
    expect(kept).to.have.length(3_000);
    expect(AuditCounts.is({ instance: 'x', counts: Array.from({ length: 33 }, () => counts[0]) })).to.equal(
      false,
    );
    expect(AuditCounts.is({ instance: 'x'.repeat(65), counts: [] })).to.equal(false);
    expect(AuditCounts.is({ instance: 'x', counts })).to.equal(true);
  });
});
