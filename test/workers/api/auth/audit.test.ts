import { expect } from 'chai';
import { AuditRecord } from '../../../../shared/protocol/api.js';
import type { AuditEntry } from '../../../../workers/api/auth/audit.js';
import { Audit } from '../../../../workers/api/auth/audit.js';
import { FakeTime } from '../../../fixtures/fake-time.js';

describe('the audit of the API worker', () => {
  let time: FakeTime;
  let rows: AuditRecord[];
  let taken: boolean;
  let audit: Audit;
  beforeEach(() => {
    time = new FakeTime();
    rows = [];
    taken = true;
    audit = new Audit(time, (record) => {
      if (taken) rows.push(record);
      return taken;
    });
  });
  const deed = (change: Partial<AuditEntry> = {}): AuditEntry => ({
    type: 'CONTROL_COMMAND',
    principal: 'anonymous',
    peer: '192.0.2.1',
    source: 'office',
    target: 'POST /api/v1/ups/office/command',
    result: 'denied',
    ...change,
  });
  const details = (): readonly string[] => rows.map(({ detail }) => detail);
  const refuse = (times: number, change: Partial<AuditEntry> = {}): void => {
    for (let turn = 0; turn < times; turn += 1) audit.refused(deed(change));
  };
  /** Advances time; the worker checks once a second. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await time.pass(1_000);
      audit.tick();
    }
  };
  const counted = (): number =>
    details().reduce((sum, detail) => sum + Number(/, (\d+) more$/.exec(detail)?.[1] ?? 1), 0);

  it('records each kind of action', () => {
    for (let turn = 0; turn < 3; turn += 1) audit.record(deed({ principal: 'user:alice' }));
    expect(details()).to.deep.equal(
      Array.from({ length: 3 }, () => 'user:alice from 192.0.2.1: POST /api/v1/ups/office/command: denied'),
    );
  });

  it('records a rejection immediately, and repeats as one row a minute', async () => {
    refuse(194);
    const first = 'anonymous from 192.0.2.1: POST /api/v1/ups/office/command: denied';
    expect(details()).to.deep.equal([first]);
    await pass(59);
    expect(rows).to.have.length(1);
    await pass(1);
    expect(details()).to.deep.equal([first, `${first}, 193 more`]);
    refuse(2);
    await pass(60);
    expect(details().slice(2)).to.deep.equal([`${first}, 2 more`]);
    await pass(60);
    refuse(1);
    expect(details().slice(3)).to.deep.equal([first]);
    await pass(120);
    expect(rows).to.have.length(4);
    expect(new Set(rows.map(({ type, source }) => `${type} ${source}`))).to.deep.equal(
      new Set(['CONTROL_COMMAND office']),
    );
  });

  it('distinguishes rejections by principal, action and target', () => {
    const changes: Partial<AuditEntry>[] = [
      {},
      { peer: '192.0.2.2' },
      { type: 'CONTROL_VARIABLE' },
      { source: 'rack' },
      { target: 'PUT /api/v1/ups/office/variables/ups.id' },
      { result: 'denied, too many failed logins' },
    ];
    for (const change of [...changes, ...changes]) audit.refused(deed(change));
    expect(rows).to.have.length(changes.length);
    audit.flush();
    expect(rows).to.have.length(2 * changes.length);
  });

  it('is bounded for any number of callers, and counts every rejection', async () => {
    for (let turn = 0; turn < 5_000; turn += 1) refuse(1, { peer: `2001:db8::${turn.toString(16)}` });
    refuse(50, { type: 'LOGIN_FAILURE', peer: '192.0.2.9' });
    expect(rows).to.have.length(102);
    await pass(60);
    expect(details().slice(102)).to.deep.equal([
      'anonymous: other refusals: denied, 4899 more',
      'anonymous: other refusals: denied, 49 more',
    ]);
    expect(rows.slice(102).map(({ type, source }) => `${type} ${source}`)).to.deep.equal([
      'CONTROL_COMMAND daemon',
      'LOGIN_FAILURE daemon',
    ]);
    expect(counted()).to.equal(5_050);
    // A minute later there is room again.
    await pass(60);
    refuse(1, { peer: '192.0.2.77' });
    expect(details().at(-1)).to.contain('192.0.2.77');
  });

  it('records one row, and one count a minute, for a principal above its limit', async () => {
    const above = (change: Partial<AuditEntry> = {}): void =>
      audit.limited(deed({ principal: 'apikey:ops', result: 'denied, too many actions', ...change }));
    above();
    for (let turn = 0; turn < 10; turn += 1) above({ type: 'CONFIG_RELOAD', target: 'x', peer: '192.0.2.7' });
    above({ principal: 'user:alice' });
    await pass(60);
    expect(details()).to.deep.equal([
      'apikey:ops from 192.0.2.1: POST /api/v1/ups/office/command: denied, too many actions',
      'user:alice from 192.0.2.1: POST /api/v1/ups/office/command: denied, too many actions',
      'apikey:ops from 192.0.2.1: actions above the limit: denied, too many actions, 10 more',
    ]);
  });

  it('reports which counts are not yet written', async () => {
    expect(audit.counts).to.deep.equal([]);
    refuse(194);
    refuse(3, { type: 'LOGIN_FAILURE' });
    for (let turn = 0; turn < 8; turn += 1) audit.limited(deed({ principal: 'user:alice' }));
    expect(audit.counts).to.have.deep.members([
      { type: 'CONTROL_COMMAND', count: 193 + 7 },
      { type: 'LOGIN_FAILURE', count: 2 },
    ]);
    taken = false;
    await pass(60);
    expect(audit.counts.map(({ count }) => count)).to.deep.equal([2, 1]);
    taken = true;
    await pass(1);
    expect(audit.counts).to.deep.equal([]);
  });

  it('loses no count when the worker stops', () => {
    refuse(7);
    audit.flush();
    expect(counted()).to.equal(7);
    audit.flush();
    expect(counted()).to.equal(7);
  });

  it('counts rows while the link is full, and records the count afterwards', async () => {
    taken = false;
    for (let turn = 0; turn < 5; turn += 1) audit.record(deed({ principal: 'user:alice' }));
    await pass(3);
    expect(rows).to.deep.equal([]);
    taken = true;
    await pass(2);
    expect(rows).to.deep.equal([
      {
        type: 'CONTROL_COMMAND',
        source: 'daemon',
        detail: 'api: 5 more rows of this kind are lost: the daemon did not accept them in time',
      },
    ]);
  });

  it('writes rows of bounded size and one line, for any input', () => {
    audit.record(
      deed({
        principal: `apikey:${'k'.repeat(64)}`,
        peer: 'x'.repeat(45),
        target: '\u{1f50c}\n'.repeat(5_000),
        result: 'y'.repeat(5_000),
      }),
    );
    expect(AuditRecord.is(rows[0])).to.equal(true);
    expect(rows[0]?.detail).not.to.match(/\p{C}/u);
    expect(rows[0]?.detail).to.match(/y$/);
  });
});
