import { expect } from 'chai';
import type { Report, UpsReport } from '../../../../shared/domain/outage/report.js';
import { csv } from '../../../../workers/api/http/csv.js';
import { fittingPage, reportPage } from '../../../../workers/api/report/page.js';
import { reportRows } from '../../../../workers/api/report/rows.js';
import { reportText } from '../../../../workers/api/report/text.js';
import { inTimeZone } from '../../../fixtures/time-zone.js';

const hostile = `<script>alert("x")</script>'&`;
const from = 1_790_000_000;

function upsReport(change: Partial<UpsReport> = {}): UpsReport {
  return {
    ...{ ups: 'office@127.0.0.1', label: 'Office', source: 'office' },
    ...{
      watchedSeconds: 604_800,
      readSeconds: 604_200,
      unseenSeconds: 600,
      onBatterySeconds: 372,
      testSeconds: 0,
    },
    ...{ outages: 1, lowestVolts: { value: 187.5, ts: from }, highestVolts: { value: 243, ts: from + 7200 } },
    ...{ lowestCharge: { value: 71, ts: from }, meanLoad: 23.4, highestLoad: { value: 61, ts: from } },
    ...{ energyKwh: 12.4, cost: 3.72, energyEstimated: true, powerFactor: 0.7, energyPartial: true },
    tests: { passed: 1, failed: 0, other: 0 },
    battery: { score: 87, replacementDue: false },
    steps: [2, 4, null, 8].map((kwh, day) => ({
      ts: from + day * 86_400,
      label: `day ${String(day)}`,
      kwh,
      load: 20,
    })),
    ...change,
  };
}

function report(change: Partial<Report> = {}): Report {
  return {
    ...{
      generatedAt: from + 700_000,
      period: 'week',
      from,
      to: from + 604_800,
      title: '2026-09-21 to 2026-09-27',
    },
    ...{
      isOver: true,
      before: '2026-09-20',
      after: '2026-09-28',
      currency: 'EUR',
      energyKwh: 12.4,
      cost: 3.72,
      ups: [upsReport()],
      tests: [],
      targets: [],
    },
    outages: [
      {
        ...{ id: 4, label: 'Office', cause: 'outage', start: from, end: from + 372, durationSeconds: 372 },
        durationUncertain: false,
        ...{ lowestCharge: 71, shutdowns: [] },
      },
    ],
    ...change,
  };
}

describe('a report in words', () => {
  inTimeZone('UTC');

  it('says what matters first, then the outages, then each UPS', () =>
    expect(reportText(report())).to
      .equal(`Weekly report, 2026-09-21 to 2026-09-27: 1 UPS, 1 outage, 12.4 kWh, 3.72 EUR.

Nothing needs attention.

Outages:
- 2026-09-21 14:13 Office: 6 min 12 s, lowest charge 71 %

Office
  Availability: read 99.9 % of the time, unseen for 10 min
  On battery: 6 min 12 s in 1 outage
  Input voltage: lowest 188 V (2026-09-21 14:13), highest 243 V (2026-09-21 16:13)
  Lowest charge: 71 % (2026-09-21 14:13)
  Load: mean 23.4 %, highest 61 %
  Energy: 12.4 kWh, 3.72 EUR (estimated, power factor 0.7, with gaps)
  Battery: health 87 of 100
  Battery tests: 1 passed
  Energy by day: ▃▅ █
`));

  it('names what needs attention', () => {
    const text = reportText(
      report({
        ups: [upsReport({ unseenSeconds: 90_000, battery: { score: null, replacementDue: true } })],
        tests: [{ label: 'Office', startedTs: from, result: 'FAILED', raw: 'bad', source: 'scheduler' }],
        targets: [
          { server: 'nas', group: 'Office', status: 'FAILED', lastError: 'connection refused' },
          { server: 'pve', group: 'Office', status: 'UNKNOWN', lastError: '' },
        ],
      }),
    );
    expect(text).to.contain(`Needs attention:
- Office: the battery is due for replacement
- Office: the battery test of 2026-09-21 14:13 failed
- nas: could not be shut down (connection refused)
- pve: not probed yet
- Office: not read for 25 h`);
  });

  it('asks for no attention to a UPS that is no longer configured', () => {
    const text = reportText(report({ ups: [upsReport({ unseenSeconds: 90_000, battery: null })] }));
    expect(text).to.contain('Nothing needs attention.').and.contain('unseen for 25 h');
  });

  it('says nothing of what is not known, and never calls an unseen second 100 %', () => {
    const nothing = { lowestVolts: null, highestVolts: null, lowestCharge: null, meanLoad: null } as const;
    const text = reportText(
      report({
        ups: [
          upsReport({
            ...nothing,
            energyKwh: null,
            battery: null,
            steps: [],
            readSeconds: 604_799,
            unseenSeconds: 1,
          }),
        ],
      }),
    );
    expect(text).not.to.match(/voltage|kWh \(|Load|Battery:|by day|100 %/);
    expect(text).to.contain('read 99.99 % of the time, unseen for 1 s');
  });

  it('is cut at the limit of a message, after whole UPSes', () => {
    const ups = Array.from({ length: 50 }, (_, place) => upsReport({ label: `UPS ${String(place)}` }));
    const text = reportText(report({ ups }), 4000);
    expect(text.length).to.be.at.most(4000).and.above(3000);
    expect(text).to.match(/Energy by day: .*\n\nThe rest: ridethrough report\n$/);
    const many = Array.from({ length: 100 }, () => report().outages[0]).filter((one) => one !== undefined);
    expect(reportText(report({ outages: many }), 4000).length).to.be.at.most(4000);
  });

  it('is a page that shows no name as HTML, and is a row for each UPS', () => {
    const named = report({
      ups: [upsReport({ label: hostile })],
      targets: [{ server: hostile, group: hostile, status: 'FAILED', lastError: hostile }],
      outages: [
        { ...report().outages[0], label: hostile, shutdowns: [hostile] } as Report['outages'][number],
      ],
    });
    const page = reportPage(named);
    expect(page).not.to.contain('<script');
    expect(page.match(/&lt;script&gt;/g)).to.have.length(5);
    const [head, one, ...more] = csv(reportRows(named)).trimEnd().split('\r\n');
    expect(head).to.match(/^from,to,ups,label,watched_seconds/);
    expect(one).to.contain('"<script>alert(""x"")</script>\'&"');
    expect(more).to.deep.equal([]);
  });

  it('is a page that fits into a mail, with as many UPSes as there is room for', () => {
    const ups = Array.from({ length: 500 }, (_, place) => upsReport({ label: `UPS ${String(place)}` }));
    const page = fittingPage(report({ ups }), 30_000);
    expect(page.length).to.be.at.most(30_000).and.above(10_000);
    expect(page).to.match(/\d+ more UPSes: ridethrough report --period week/);
  });
});
