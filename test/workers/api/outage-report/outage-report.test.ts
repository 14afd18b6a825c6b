import { expect } from 'chai';
import type { OutageBody } from '../../../../shared/http/outage-bodies.js';
import { csv } from '../../../../workers/api/http/csv.js';
import { outageRows } from '../../../../workers/api/outage-report/rows.js';
import { outagePage } from '../../../../workers/api/outage-report/page.js';

const hostile = `<script>alert("x")</script>'&`;

const outage: OutageBody = {
  generatedAt: 2000,
  id: 7,
  ups: 'office@127.0.0.1',
  label: hostile,
  source: 'office',
  cause: 'outage',
  start: 1000,
  end: 1100.5,
  endSeen: true,
  durationSeconds: 100.5,
  clockSetSeconds: null,
  durationUncertain: false,
  interruptions: 2,
  lowestCharge: 41,
  lowestRuntimeSeconds: 320,
  energyWh: 12.34,
  energyEstimated: false,
  powerFactor: null,
  shutdowns: [
    {
      group: 'office',
      label: 'Office',
      startedAt: 1050,
      trigger: 'CRITICAL_RUNTIME',
      why: `runtime ${hostile}`,
      dryRun: false,
      fedBy: ['office'],
      boundSeconds: 90,
      estimateSeconds: 30,
      over: true,
      cancelled: '',
      steps: [
        {
          id: 'a',
          phase: 'remote_servers',
          target: hostile,
          budgetSeconds: 20,
          estimateSeconds: 5,
          startedAt: 1051,
          endedAt: 1058.5,
          state: 'failed',
          reason: hostile,
        },
      ],
    },
  ],
  events: [
    {
      source: 'office',
      id: 1,
      ts: 1000,
      eventType: 'ON_BATTERY',
      detail: hostile,
      category: 'power_event',
      ups: 'office@127.0.0.1',
      label: hostile,
    },
  ],
  readings: [{ ts: 1000, at: 'start', variables: { 'ups.status': 'OB', 'ups.mfr': hostile } }],
  changes: [
    { ts: 990, variables: { 'battery.charge': '100', 'input.voltage': '230' } },
    { ts: 1001, variables: { 'battery.charge': '80', 'input.voltage': '0', 'x"y': '=1+1' } },
    { ts: 1100, variables: { 'battery.charge': '41', 'input.voltage': null } },
  ],
  evidenceComplete: false,
};

describe('the report of an outage', () => {
  it('is a page that runs nothing, whatever the texts are', () => {
    const page = outagePage(outage);
    expect(page).not.to.contain('<script');
    expect(page).not.to.match(/\s(src|href|on\w+)=/);
    expect(page.split('&lt;script&gt;').length).to.be.above(8);
  });

  it('has the plan beside what each step took, and the curves', () => {
    const page = outagePage(outage);
    expect(page).to.contain('<td>7.5 s</td><td>5.0 s</td><td>20.0 s</td>');
    expect(page).to.contain('Charge, %: from 100 to 41, lowest 41, highest 100');
    expect(page).to.contain('Part of the readings is not stored any more');
  });

  it('is a page also while it lasts and without any reading', () => {
    const page = outagePage({ ...outage, end: null, durationSeconds: null, readings: [], changes: [] });
    expect(page).to.contain('it lasts');
    expect(page).not.to.contain('<svg');
  });

  it('has every change and event in the order of time as CSV', () => {
    const lines = csv(outageRows(outage)).split('\r\n');
    expect(lines[0]).to.equal('time,kind,subject,detail');
    expect(lines[1]).to.equal('1970-01-01T00:16:30.000Z,reading,battery.charge,100');
    expect(lines).to.include(`1970-01-01T00:16:41.000Z,reading,"x""y",'=1+1`);
    const times = lines.slice(1, -1).map((line) => line.slice(0, 24));
    expect(times).to.deep.equal([...times].sort());
  });
});

describe('CSV', () => {
  it('quotes commas, quotes and line breaks, and leaves numbers as they are', () => {
    expect(csv([['a,b', 'c"d', 'e\nf', -5, '-5.5', null]])).to.equal('"a,b","c""d","e\nf",-5,-5.5,\r\n');
  });

  it('contains no formula', () => {
    for (const text of ['=1', '+a', '-a', '@a', '\tb', '\rc'])
      expect(
        csv([[text]])
          .replace(/^"/, '')
          .startsWith("'"),
      ).to.equal(true, text);
  });
});
