import { expect } from 'chai';
import type { Facts, Shown } from '../../../../shared/domain/triggers/trigger.js';
import { batteryTrigger, doubtLeftMs, read } from '../../../../shared/domain/triggers/trigger.js';
import type { TriggerSettings } from '../../../../shared/domain/triggers/table.js';
import { defaults, facts } from './facts.js';

/** Shown for the first time, at the reading of this moment. */
const jumped = (before: number | null, sinceMs = 0): Shown => ({ forMs: 0, sinceMs, before });

describe('a value that fell below its threshold in a jump', () => {
  const chargeLeft = (own: Partial<Facts>, settings: Partial<TriggerSettings> = {}) =>
    doubtLeftMs(
      'charge',
      20,
      { ...defaults, ...settings },
      facts({ chargePercent: 15, chargeDoubt: jumped(90), ...own }),
    );

  it('waits until it was shown for longer than the hold of values', () => {
    const left = (forMs: number) => chargeLeft({ chargeDoubt: { ...jumped(90), forMs } });
    expect([0, 7999, 8000, 8001].map(left)).to.deep.equal([8001, 2, 1, 0]);
  });

  it('waits in the first reading of a boot too', () => {
    expect(chargeLeft({ chargeDoubt: jumped(null) })).to.equal(8001);
  });

  it('waits for a jump from the threshold, and not for one from below it', () => {
    expect(chargeLeft({ chargeDoubt: jumped(20) })).to.equal(8001);
    expect(chargeLeft({ chargeDoubt: jumped(19.9) })).to.equal(0);
    expect(chargeLeft({ chargeDoubt: null }), 'in its usual steps').to.equal(0);
  });

  it('does not wait with LB, nor with value_hold = 0', () => {
    expect(chargeLeft({ lowBatteryFlag: true })).to.equal(0);
    expect(chargeLeft({ holdSettings: { valueMs: 0, statusMs: null } })).to.equal(0);
  });

  it('waits for the jump of the quantity in question', () => {
    const own = facts({ runtimeSeconds: 500, runtimeDoubt: jumped(3000) });
    expect(doubtLeftMs('runtime', 600, defaults, own)).to.equal(8001);
    expect(doubtLeftMs('charge', 20, defaults, own)).to.equal(0);
  });

  describe('together with the other one', () => {
    const together = (own: Partial<Facts> = {}, settings: Partial<TriggerSettings> = {}) =>
      chargeLeft({ runtimeSeconds: 500, runtimeDoubt: jumped(3000), ...own }, settings);

    it('does not wait', () => {
      expect(together()).to.equal(0);
    });

    const waits: Readonly<Record<string, Partial<Facts>>> = {
      'the charge is 0, as where a read fails': { chargePercent: 0 },
      'the runtime is 0, as where a read fails': { runtimeSeconds: 0 },
      'the last reading has no charge': { chargePercent: null },
      'the last reading has no runtime': { runtimeSeconds: null },
      'the charge is back at its threshold': { chargePercent: 20 },
      'the runtime is back at its threshold': { runtimeSeconds: 600 },
      'the runtime did not jump': { runtimeDoubt: null },
      'the runtime jumped in another reading': { runtimeDoubt: jumped(3000, 1) },
      'the runtime was below its threshold before': { runtimeDoubt: jumped(599) },
    };
    for (const [why, own] of Object.entries(waits))
      it(`waits where ${why}`, () => {
        expect(together(own)).to.equal(8001);
      });

    it('counts from just below the thresholds, and at 1 % and 1 s', () => {
      expect(together({ chargePercent: 19.9, runtimeSeconds: 599, runtimeDoubt: jumped(600) })).to.equal(0);
      expect(together({ chargePercent: 1, runtimeSeconds: 1 })).to.equal(0);
    });

    it('waits for a runtime that fell from the threshold while the charge was low before', () => {
      const own = facts({
        chargePercent: 15,
        chargeDoubt: jumped(19.9),
        runtimeSeconds: 500,
        runtimeDoubt: jumped(600),
      });
      expect(doubtLeftMs('runtime', 600, defaults, own)).to.equal(8001);
    });
  });
});

describe('a battery trigger', () => {
  const plain = batteryTrigger({
    name: 'PLAIN',
    words: 'plain',
    keys: {},
    settings: () => ({}),
    outlook: () => ['plain', 'never'],
    isMet: () => false,
    reason: () => '',
    limit: () => '',
    measure: () => ({ what: '', threshold: null, reading: null, margin: null, words: '' }),
  });

  it('is on, needs OB and no value, has the usual confirmations and delay, and no doubt, where it says nothing else', () => {
    expect(plain).to.include({ doubtKey: 'value_hold', inhibit: 'battery test', quantity: null });
    expect(plain.sources).to.deep.equal(['battery']);
    expect(plain.isOn(defaults)).to.equal(true);
    expect(plain.confirmations(defaults, facts())).to.equal(2);
    expect(plain.delayMs(defaults, facts())).to.equal(30_000);
    expect(plain.doubtMs(defaults, facts())).to.equal(0);
    expect(plain.unmet(facts(), defaults, 0)).to.equal(null);
  });
});

describe('a quantity in a reason', () => {
  it('may be one of an earlier reading', () => {
    expect(read(15, '%')).to.equal('15 %,');
    expect(read(null, '%')).to.equal('(as last read)');
  });
});
