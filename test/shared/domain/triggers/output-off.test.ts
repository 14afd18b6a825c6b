import { expect } from 'chai';
import { outputOff as trigger } from '../../../../shared/domain/triggers/output-off.js';
import type { Facts } from '../../../../shared/domain/triggers/trigger.js';
import { defaults, facts, outlookContext } from './facts.js';

const after = (outputOffMs: number) => ({ ...defaults, outputOffMs });

describe('OUTPUT_OFF', () => {
  it('is met by OFF in every reading for 30 s', () => {
    const isMet = (offMs: number | null, outputOffMs = 30_000) =>
      trigger.isMet(facts({ offMs }), after(outputOffMs));
    expect([null, 0, 29_999, 30_000].map((ms) => isMet(ms))).to.deep.equal([false, false, false, true]);
    expect(isMet(1, 1)).to.equal(true);
    expect(isMet(30_000, 0), 'output_off_delay = 0').to.equal(false);
  });

  it('is off with output_off_delay = 0', () => {
    expect([0, 1, 30_000].map((ms) => trigger.isOn(after(ms)))).to.deep.equal([false, true, true]);
    const outlook = (ms: number) => trigger.outlook(after(ms), outlookContext)[1];
    expect(outlook(0)).to.equal('ignored');
    expect(outlook(1)).to.contain('OFF without OB for 0.001 s');
    expect(outlook(30_000)).to.contain('OFF without OB for 30 s');
  });

  it('has no other confirmation and no other delay', () => {
    expect(trigger.confirmations(defaults, facts())).to.equal(1);
    expect(trigger.delayMs(defaults, facts())).to.equal(0);
  });

  it('is in doubt until OFF was shown for longer than the hold of the status', () => {
    const doubt = (offMs: number | null, own: Partial<Facts> = {}) =>
      trigger.doubtMs({ ...defaults, criticalRuntimeSeconds: 4 }, facts({ offMs, ...own }));
    expect([0, 1999, 2000, 2001].map((ms) => doubt(ms))).to.deep.equal([2001, 2, 1, 0]);
    expect(doubt(null), 'without OFF').to.equal(0);
    const snmp = { variables: { 'driver.name': 'snmp-ups' } };
    expect([30_000, 32_000, 32_001].map((ms) => doubt(ms, snmp))).to.deep.equal([2001, 1, 0]);
    expect(doubt(0, { holdSettings: { valueMs: null, statusMs: 0 } }), 'status_hold = 0').to.equal(0);
  });

  it('is explained in whole seconds', () => {
    expect(trigger.measure(facts({ offMs: 12_999 }), defaults)).to.deep.equal({
      what: 'OFF',
      threshold: 30,
      reading: 12,
      margin: 18,
      words: 'OFF for 12 s, it fires after 30 s',
    });
    expect(trigger.measure(facts({ offMs: 12_000 }), defaults).reading).to.equal(12);
    expect(trigger.measure(facts(), defaults)).to.include({
      reading: 0,
      words: 'no OFF, it fires after 30 s',
    });
    expect(trigger.reason(facts({ offMs: 31_000 }), defaults)).to.equal(
      'OFF in every reading for 31 s, output_off_delay 30 s',
    );
    expect(trigger.reason(facts(), defaults)).to.contain('for 0 s');
  });
});
