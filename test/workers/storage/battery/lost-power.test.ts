import { expect } from 'chai';
import type { EventType } from '../../../../shared/domain/status/events.js';
import { insertEvent } from '../../../../workers/storage/events.js';
import { OutageTracker } from '../../../../workers/storage/outages/tracker.js';
import { beginRun, endRun, saveSequence } from '../../../../workers/storage/runs.js';
import { sampleOf } from '../fixture.js';
import { BatteryBench, settings, start } from './bench.js';
import { BatteryLife, day } from './battery-life.js';

const hour = 3600;
/** When the outage begins. */
const outageAt = start + 10 * day;

describe('a battery that loses the power of this host', () => {
  let bench: BatteryBench;
  let outages: OutageTracker;
  let life: BatteryLife;
  let seq: number;
  beforeEach(async () => {
    bench = new BatteryBench();
    outages = new OutageTracker();
    life = new BatteryLife({ capacity: () => 1, noise: 0 });
    seq = 0;
    bench.configure(settings);
    await begin('run-1', 'boot-a', start);
    await bench.feed(life.line(start, outageAt));
  });
  afterEach(() => bench.end());

  const begin = (run: string, bootId: string, at: number) =>
    bench.run((db) => beginRun(db, { run, bootId, version: '1.0', at, recovered: null }, true));
  const happened = (type: EventType, at: number) =>
    bench.run((db) => {
      seq += 1;
      return outages.recordEvents(db, [{ seq, at, source: 'office', type, detail: '' }], at * 1000);
    });
  const reads = (at: number, status: string, isWhole = false) =>
    outages.recordChanges([{ groupId: 'office', at, isWhole, variables: { 'ups.status': status } }]);

  /** Seconds on battery, down to a charge, and nothing after it. */
  async function onBattery(seconds: number, charge: number, at = outageAt): Promise<void> {
    reads(at, 'OB', true);
    await happened('ON_BATTERY', at);
    if (seconds === 0) return;
    const samples = [sampleOf('office', at, { charge: 100 }), sampleOf('office', at + seconds, { charge })];
    await bench.run((db) => outages.countSamples(db, samples, (at + seconds) * 1000));
  }

  /** The next boot, an hour later, on line power for an hour. */
  async function bootedAgain(bootId = 'boot-b', at = outageAt + hour): Promise<string> {
    outages = new OutageTracker();
    const { detail } = await begin('run-2', bootId, at);
    reads(at, 'OL', true);
    for (const minute of [1, 2, 3]) await bench.run((db) => outages.maintain(db, (at + minute * 60) * 1000));
    await bench.feed(life.line(at, at + 2 * hour));
    return detail;
  }

  it('is due, and one event has the reason', async () => {
    await onBattery(12, 96);
    expect(await bootedAgain()).to.equal(
      'version 1.0; the previous run ended without a clean stop, with office on battery',
    );
    const { terms, replacement } = bench.health();
    expect(terms.selfTest).to.include({
      value: 0,
      detail: 'this host lost its power 12 s into the outage of 2024-01-11, with 96 % of charge',
    });
    expect(replacement.state).to.equal('due');
    expect(bench.events.map(({ type }) => type)).to.deep.equal(['BATTERY_REPLACEMENT_PREDICTED']);
  });

  it('is due also when it fails before the first sample of the outage is stored', async () => {
    await onBattery(0, 100);
    await bootedAgain();
    expect(bench.health().terms.selfTest.detail).to.equal(
      'this host lost its power 0 s into the outage of 2024-01-11',
    );
  });

  /** Of a UPS that reports no charge: read for these seconds, with this runtime at the end. */
  async function withoutCharge(seconds: number, runtime?: number): Promise<void> {
    reads(outageAt, 'OB', true);
    await happened('ON_BATTERY', outageAt);
    const given = runtime === undefined ? {} : { runtime };
    const samples = [0, seconds].map((after) => sampleOf('office', outageAt + after, given));
    await bench.run((db) => outages.countSamples(db, samples, (outageAt + seconds) * 1000));
  }
  const carried = async (seconds: number) => bench.feed(life.battery(outageAt - 2 * day, seconds));
  const uncharged: readonly (readonly [string, number | null, () => Promise<void>])[] = [
    ['is due minutes into it while the UPS promised 5 minutes', 0, () => withoutCharge(200, 300)],
    ['is not due below that promise', null, () => withoutCharge(200, 299)],
    ['is not due by the time alone', null, () => withoutCharge(200)],
    [
      'is due in less than half of the time that it has carried the load before',
      0,
      async () => {
        await carried(600);
        await withoutCharge(200);
      },
    ],
    [
      'is not due after more than half of that time',
      null,
      async () => {
        await carried(390);
        await withoutCharge(200);
      },
    ],
    [
      'is not due when LB was shown',
      null,
      async () => {
        await withoutCharge(200, 900);
        const event = { source: 'office', type: 'LOW_BATTERY_FLAG', detail: '' } as const;
        await bench.run((db) => insertEvent(db, { ...event, at: outageAt + 150 }));
      },
    ],
  ];
  for (const [what, value, course] of uncharged)
    it(`without a charge ${what}`, async () => {
      await course();
      await bootedAgain();
      expect(bench.health().terms.selfTest.value).to.equal(value);
    });

  const innocent: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'the outage had emptied it',
      async () => {
        await onBattery(1800, 20);
        await bootedAgain();
      },
    ],
    [
      'only the daemon ended',
      async () => {
        await onBattery(12, 96);
        await bootedAgain('boot-a');
      },
    ],
    [
      'the host was shut down',
      async () => {
        await onBattery(12, 96);
        await bench.run((db) => endRun(db, { run: 'run-1', at: outageAt + 13, detail: '' }, true));
        await bootedAgain();
      },
    ],
    [
      'a shutdown was under way',
      async () => {
        await onBattery(12, 96);
        await bench.run((db) => saveSequence(db, { run: 'run-1', sequence: 'office: running' }));
        await bootedAgain();
      },
    ],
    [
      'the end of the outage was seen before',
      async () => {
        await onBattery(12, 96);
        await happened('POWER_RESTORED', outageAt + 13);
        await bootedAgain();
      },
    ],
    [
      'the host was back before the power',
      async () => {
        await onBattery(12, 96);
        await begin('run-2', 'boot-b', outageAt + hour);
        await happened('ON_BATTERY', outageAt + hour + 2);
        await bench.feed(life.line(outageAt + hour, outageAt + 2 * hour));
      },
    ],
    [
      'the outage goes on',
      async () => {
        await onBattery(12, 96);
        await begin('run-2', 'boot-b', outageAt + 100);
        await bench.feed(life.battery(outageAt + hour - 100, 200));
      },
    ],
    [
      'it does not feed this host',
      async () => {
        bench.configure({ ...settings, feedsHost: false });
        await onBattery(12, 96);
        await bootedAgain();
      },
    ],
    [
      'it has carried the load since',
      async () => {
        await onBattery(12, 96);
        await bootedAgain();
        await bench.feed(life.battery(outageAt + day, 1200));
        await bench.feed(life.line(outageAt + day + 1200, outageAt + day + 3 * hour));
      },
    ],
    [
      'it is a new one',
      async () => {
        await onBattery(12, 96);
        bench.configure({ ...settings, installDate: '2024-02-01' });
        await bootedAgain('boot-b', outageAt + 30 * day);
      },
    ],
  ];
  for (const [why, course] of innocent)
    it(`does not count as failed where ${why}`, async () => {
      await course();
      expect(bench.health().terms.selfTest.value).to.equal(null);
      expect(bench.health().replacement.state).to.not.equal('due');
    });
});
