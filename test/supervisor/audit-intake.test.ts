import { expect } from 'chai';
import type { LogRecord } from '../../shared/domain/log-record.js';
import { AuditRecord } from '../../shared/protocol/api.js';
import { loggerTo } from '../../shared/runtime/log.js';
import { AuditIntake } from '../../supervisor/audit-intake.js';
import type { RecordedEvent } from '../../supervisor/event-recorder.js';
import { FakeTime } from '../fixtures/fake-time.js';

describe('audit rows of the API worker', () => {
  let time: FakeTime;
  let kept: RecordedEvent[];
  let log: LogRecord[];
  let intake: AuditIntake;
  beforeEach(() => {
    time = new FakeTime();
    kept = [];
    log = [];
    intake = new AuditIntake({
      clock: time,
      log: loggerTo('supervisor', time, (record) => void log.push(record)),
      knows: (group) => group === 'office',
      record: (event) => void kept.push(event),
    });
  });
  const row = { type: 'CONTROL_COMMAND', source: 'office', detail: 'user:alice: beeper.mute: ok' } as const;

  it('are recorded under their UPS, and under the daemon when there is no such UPS', () => {
    intake.take(row);
    intake.take({ ...row, source: 'nothing' });
    expect(kept).to.deep.equal([row, { ...row, source: 'daemon' }]);
  });

  it('are of category audit and bounded in length, or break the contract', () => {
    expect(AuditRecord.is(row)).to.equal(true);
    expect(AuditRecord.is({ ...row, type: 'ON_BATTERY' })).to.equal(false);
    expect(AuditRecord.is({ ...row, type: 'SHUTDOWN_TRIGGERED' })).to.equal(false);
    expect(AuditRecord.is({ ...row, detail: 'x'.repeat(1025) })).to.equal(false);
    expect(AuditRecord.is({ ...row, source: 'x'.repeat(257) })).to.equal(false);
  });

  it('share their allowance with what the supervisor records of refused orders', () => {
    for (let turn = 0; turn < 300; turn += 1) {
      intake.take(row);
      intake.record({ ...row, detail: 'local: run load.off: denied' });
    }
    expect(kept).to.have.length(500);
  });

  it('are five a second in the long run, and the log is told once a minute of the rest', async () => {
    for (let turn = 0; turn < 2_000; turn += 1) intake.take(row);
    expect(kept).to.have.length(500);
    await time.pass(10_000);
    for (let turn = 0; turn < 2_000; turn += 1) intake.take(row);
    expect(kept).to.have.length(550);
    expect(log).to.have.length(1);
    await time.pass(3_600_000);
    for (let turn = 0; turn < 501; turn += 1) intake.take(row);
    expect(kept).to.have.length(1_050);
    expect(log.map(({ level }) => level)).to.deep.equal(['warning', 'warning']);
  });
});
