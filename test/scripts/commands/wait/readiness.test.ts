import { expect } from 'chai';
import type { UpsRow } from '../../../../shared/domain/status/status-model.js';
import type { ReadyRule, PowerStatus } from '../../../../scripts/commands/wait/readiness.js';
import { untilReady } from '../../../../scripts/commands/wait/readiness.js';
import { publishedUps } from '../../../workers/api/fixture.js';

const row = (values: Partial<UpsRow> = {}): UpsRow => ({
  ...publishedUps().row,
  name: 'office@127.0.0.1',
  label: 'Office',
  isLocal: true,
  status: 'OL CHRG',
  batteryCharge: 50,
  ...values,
});
const statusOf = (...ups: readonly UpsRow[]): PowerStatus => ({
  ups,
  redundancyGroups: [],
  sequenceRuns: false,
});
const rule: ReadyRule = { ups: null, chargePercent: 40, stableMs: 120_000, timeoutMs: 1_800_000 };

/** What is read at each second; the last entry that is not later holds. */
type Course = readonly (readonly [fromSeconds: number, read: PowerStatus | string])[];

/** When the gate opens, and what it says, on a clock of its own. */
async function opened(course: Course, changes: Partial<ReadyRule> = {}) {
  let nowMs = 5_000_000;
  const startMs = nowMs;
  const said: string[] = [];
  const missing = await untilReady(
    {
      monotonicMs: () => nowMs,
      pause: () => {
        nowMs += 2_000;
        return Promise.resolve();
      },
      say: (text) => void said.push(text),
      read: () => {
        const seconds = (nowMs - startMs) / 1000;
        return Promise.resolve(course.findLast(([from]) => from <= seconds)?.[1] ?? 'no answer');
      },
    },
    { ...rule, ...changes },
  );
  return { afterSeconds: (nowMs - startMs) / 1000, said, missing };
}

describe('the boot gate', () => {
  it('opens when charge and line power have lasted', async () => {
    const { afterSeconds, said } = await opened([
      [0, 'the daemon does not run'],
      [10, statusOf(row({ batteryCharge: 12 }))],
      [300, statusOf(row({ batteryCharge: 40 }))],
    ]);
    expect(afterSeconds).to.equal(420);
    expect(said).to.deep.equal([
      'the daemon does not run',
      'Office has 12 % charge of 40 %',
      'ready; this must last for 2 min',
      'ready: the battery could carry another outage',
    ]);
  });

  it('counts from the start again after a second outage', async () => {
    const good = statusOf(row());
    const { afterSeconds } = await opened([
      [0, good],
      [100, statusOf(row({ status: 'OB DISCHRG' }))],
      [104, good],
    ]);
    expect(afterSeconds).to.equal(224);
  });

  it('stays closed while a shutdown goes on although power is back', async () => {
    const good = statusOf(row());
    const { afterSeconds, said } = await opened([
      [0, { ...good, sequenceRuns: true }],
      [200, good],
    ]);
    expect([afterSeconds, said[0]]).to.deep.equal([320, 'a shutdown sequence runs']);
  });

  it('opens at the time-out with a message', async () => {
    const { afterSeconds, said } = await opened([[0, statusOf(row({ batteryCharge: 3 }))]]);
    expect(afterSeconds).to.equal(1_800);
    expect(said.at(-1)).to.equal(
      'ended at the time-out of 30 min, although not ready: Office has 3 % charge of 40 %',
    );
    expect(said.length).to.be.lessThan(10);
  });

  it('opens at the time-out although the daemon never answers', async () => {
    const { afterSeconds } = await opened([[0, 'the daemon does not run']], { timeoutMs: 60_000 });
    expect(afterSeconds).to.equal(60);
  });

  for (const [what, values] of [
    ['cannot be read', { connectionState: 'FAILED' }],
    ['is not on line power', { status: 'OL OB' }],
    ['is not on line power', { status: 'BYPASS' }],
    ['has the trigger FSD', { triggerActive: true, triggerReason: 'FSD' }],
  ] as const)
    it(`stays closed for a UPS that ${what} (${JSON.stringify(values)})`, async () => {
      const { said } = await opened([[0, statusOf(row(values))]], { timeoutMs: 10_000 });
      expect(said[0]).to.equal(`Office ${what}`);
    });

  it('takes line power alone where the UPS reports no charge', async () => {
    expect((await opened([[0, statusOf(row({ batteryCharge: null }))]])).afterSeconds).to.equal(120);
  });

  it('waits for what powers this machine, not for the others', async () => {
    const other = row({ name: 'rack@127.0.0.1', isLocal: false, status: 'OB' });
    expect((await opened([[0, statusOf(other, row())]])).afterSeconds).to.equal(120);
    expect((await opened([[0, statusOf(other, row())]], { ups: 'rack@127.0.0.1' })).afterSeconds).to.equal(
      1_800,
    );
  });

  it('waits for as many members as the group of this machine needs', async () => {
    const members = ['a', 'b', 'c'].map((name) =>
      row({ name, isLocal: false, status: name === 'c' ? 'OB' : 'OL' }),
    );
    const group = { groupId: 'redundancy-rack', name: 'rack', upsSources: ['a', 'b', 'c'], isLocal: true };
    const of = (minHealthy: number): PowerStatus => ({
      ups: members,
      sequenceRuns: false,
      redundancyGroups: [
        {
          ...group,
          minHealthy,
          healthyCount: 2,
          quorumLost: false,
          quorumDeferred: false,
          members: [],
          shutsDown: { host: false, servers: [] },
          remoteHealth: [],
        },
      ],
    });
    expect((await opened([[0, of(2)]])).afterSeconds).to.equal(120);
    expect((await opened([[0, of(3)]])).afterSeconds).to.equal(1_800);
  });

  it('ends at once for a UPS that does not exist', async () => {
    const { afterSeconds, missing } = await opened([[0, statusOf(row())]], { ups: 'offic' });
    expect(afterSeconds).to.equal(0);
    expect(missing).to.equal('there is no UPS "offic"; there are office@127.0.0.1');
  });
});
