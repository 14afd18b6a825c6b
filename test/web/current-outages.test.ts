import { expect } from 'chai';
import { initialState } from '../../web/daemon/client-state.js';
import type { Sample } from '../../web/charts/outage-timeline/sample.js';
import { CurrentOutages } from '../../web/charts/outage-timeline/current-outages.js';
import { alertOf } from '../../web/views/alert.js';
import { row } from '../workers/api/fixture.js';

describe('the forecast of the banner', () => {
  const explained = {
    name: 'CRITICAL_RUNTIME',
    armed: true,
    active: false,
    threshold: 600,
    reading: null,
    readingAge: 0,
    refused: [],
    margin: null,
    delay: 0,
    text: '',
  } as const;
  const source = row().groupId;

  /** A page that shows no timeline, in an outage whose runtime falls by 4 s a second; `after` shows the banner at that time. */
  function watched() {
    const state = initialState();
    state.connection = 'streaming';
    state.explanations.set(source, {
      key: '',
      text: '',
      triggers: [explained],
      receivedMs: performance.now(),
    });
    const outages = new CurrentOutages(state, () => {
      const samples: Sample[] = [];
      return {
        samples: () => samples,
        add: ({ batteryCharge: charge, runtime, load }, ts) =>
          void samples.push({ ts, charge, runtime, load }),
      };
    });
    const begun = Date.now() / 1000;
    const after = (seconds: number, change = {}) => {
      state.clockOffset = begun + seconds - Date.now() / 1000;
      const facts = { timeOnBattery: seconds, runtime: 3000 - 4 * seconds, batteryCharge: 90, ...change };
      state.status = {
        generatedAt: begun + seconds,
        ups: [row({ status: 'OB DISCHRG', ...facts })],
        redundancyGroups: [],
      };
      return alertOf(state, outages.paceWarnings())?.lines.join(' ') ?? '';
    };
    for (let seconds = 1; seconds < 40; seconds += 1) after(seconds);
    return { state, after };
  }

  it('counts down with the readings', () => {
    const { after } = watched();
    const pace = String.raw`At this pace \(4\.0 times as fast as the UPS estimates\) the shutdown starts in`;
    expect(after(40)).to.match(new RegExp(String.raw`${pace} 9\smin.* by short runtime\.$`, 'u'));
    for (let seconds = 41; seconds < 520; seconds += 1) after(seconds);
    expect(after(520)).to.match(new RegExp(String.raw`${pace} 1\smin.* by short runtime\.$`, 'u'));
  });

  it('is not that of an earlier outage, and ends with the readings', () => {
    const { after } = watched();
    expect(after(40, { connectionState: 'FAILED', connectionDetail: 'SERVER_DOWN' })).not.to.contain('pace');
    expect(after(0, { status: 'OL' })).to.equal('');
    expect(after(86_400, { timeOnBattery: 2 })).to.match(/^On battery for 2.s\.$/);
  });

  it('takes no old value for a reading while the connection to the daemon is lost', () => {
    const { state, after } = watched();
    state.connection = 'lost';
    for (let seconds = 40; seconds < 90; seconds += 1) after(seconds, { runtime: 2840 });
    state.connection = 'streaming';
    for (let seconds = 90; seconds < 120; seconds += 1) after(seconds);
    expect(after(120)).to.contain('(4.0 times as fast as the UPS estimates)');
  });
});
