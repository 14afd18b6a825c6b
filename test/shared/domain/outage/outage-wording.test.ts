import { expect } from 'chai';
import type { ShutdownRecord } from '../../../../shared/domain/outage/outage.js';
import { outageFacts, shutdownSummary, stepCells } from '../../../../shared/domain/outage/outage-wording.js';

const time = (unixSeconds: number): string => `at ${String(unixSeconds)}`;

const lasting = {
  cause: 'calibration' as const,
  ...{
    start: 1000,
    end: null,
    endSeen: false,
    durationSeconds: null,
    clockSetSeconds: null,
    durationUncertain: false,
  },
  ...{ interruptions: 0, lowestCharge: null, lowestRuntimeSeconds: null, energyWh: null },
  energyEstimated: false,
  powerFactor: null,
};

const shutdown: ShutdownRecord = {
  ...{ group: 'office', label: 'Office', startedAt: 1050, trigger: 'LOW_BATTERY', why: 'charge 9 %' },
  ...{ dryRun: true, fedBy: ['office'], boundSeconds: 90, estimateSeconds: 30, over: true, cancelled: '' },
  steps: [],
};

describe('an outage in words', () => {
  it('has only the facts that are known while it lasts', () => {
    expect(outageFacts(lasting, time)).to.deep.equal([
      ['Cause', 'calibration'],
      ['Begin', 'at 1000'],
      ['Duration', 'it lasts'],
    ]);
  });

  it('says that the clock was set, and which dates are wrong by it', () => {
    const clock = (clockSetSeconds: number) =>
      new Map(outageFacts({ ...lasting, clockSetSeconds }, time)).get('Clock');
    expect(clock(86_400)).to.match(/^it was set forward by .+: events .+ that much earlier$/);
    expect(clock(-86_400)).to.match(/^it was set back by .+: events .+ that much later$/);
  });

  it('says that a length is not certain', () => {
    const over = { ...lasting, end: 1060, durationSeconds: 60 };
    const duration = (durationUncertain: boolean) =>
      new Map(outageFacts({ ...over, durationUncertain }, time)).get('Duration');
    expect(duration(true)).to.match(/^about 1.min \(the clock was set meanwhile\)$/);
    expect(duration(false)).to.match(/^1.min$/);
  });

  it('says what is estimated, and when nobody saw the end', () => {
    const over = { ...lasting, end: 1060, durationSeconds: 60, interruptions: 1, energyWh: 2 };
    const facts = new Map(outageFacts({ ...over, energyEstimated: true }, time));
    expect(facts.get('End')).to.equal('at 1060 (the last reading on battery: nobody saw the power return)');
    expect(facts.get('Energy from the battery')).to.equal('2.0 Wh (estimated from the load)');
    const assumed = outageFacts({ ...over, energyEstimated: true, powerFactor: 0.7 }, time);
    expect(new Map(assumed).get('Energy from the battery')).to.equal('2.0 Wh (estimated, power factor 0.7)');
    expect(facts.get('Power back for less than a minute')).to.equal('1 time');
  });

  it('says how a shutdown ended', () => {
    const ends = [{}, { over: false }, { cancelled: 'the power is back' }].map(
      (change) => shutdownSummary({ ...shutdown, ...change }, time).split('. ')[2],
    );
    expect(ends).to.deep.equal(['Complete.', 'Cut off, or still running.', 'Cancelled: the power is back.']);
  });

  it('leaves the times of a step empty that did not run', () => {
    const step = {
      ...{ id: 'a', phase: 'local_poweroff', target: 'this host', budgetSeconds: 30, estimateSeconds: 1 },
      ...{ startedAt: 1051, endedAt: null, reason: '' },
      state: 'running' as const,
    };
    expect(stepCells(step, time).slice(2, 4)).to.deep.equal(['at 1051', '']);
    expect(
      stepCells({ ...step, startedAt: null, state: 'skipped', reason: 'why' }, time).slice(2),
    ).to.deep.equal(['', '', '1.0 s', '30.0 s', 'skipped: why']);
  });
});
