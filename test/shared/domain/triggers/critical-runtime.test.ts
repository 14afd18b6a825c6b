import { expect } from 'chai';
import {
  criticalRuntime as trigger,
  usedRuntime,
} from '../../../../shared/domain/triggers/critical-runtime.js';
import type { TriggerSettings } from '../../../../shared/domain/triggers/table.js';
import type { Facts } from '../../../../shared/domain/triggers/trigger.js';
import { defaults, facts, outlookContext } from './facts.js';

const estimated: TriggerSettings = { ...defaults, runtimeSource: 'estimated' };
const below = (criticalRuntimeSeconds: number): TriggerSettings => ({ ...defaults, criticalRuntimeSeconds });
const estimate = { seconds: 1000, errorSeconds: 200 };

describe('CRITICAL_RUNTIME', () => {
  it('is met strictly below 10 min', () => {
    const isMet = (runtimeSeconds: number | null) => trigger.isMet(facts({ runtimeSeconds }), defaults);
    expect([599, 600, null].map(isMet)).to.deep.equal([true, false, null]);
  });

  it('is off with a threshold of 0', () => {
    expect([0, 1, 600].map((seconds) => trigger.isOn(below(seconds)))).to.deep.equal([false, true, true]);
    const outlook = (settings: TriggerSettings) => trigger.outlook(settings, outlookContext)[1];
    expect(outlook(below(0))).to.equal('ignored');
    expect(outlook(below(1))).to.equal('below 1 s');
    expect(outlook(estimated)).to.equal('below 600 s, estimated from earlier discharges');
  });

  it('takes the lower end of the estimate only with runtime_source = "estimated"', () => {
    const used = (own: Partial<Facts>, settings = estimated) => usedRuntime(facts(own), settings);
    expect(used({ estimate })).to.equal(800);
    expect(used({ estimate }, defaults)).to.equal(3000);
    expect(used({ estimate: null }), 'no estimate yet').to.equal(3000);
    expect(used({ estimate: { seconds: 100, errorSeconds: 200 } })).to.equal(0);
  });

  it('is in doubt by a jump of the runtime that the UPS reports, never by an estimate', () => {
    const jump = { forMs: 0, sinceMs: 0, before: 3000 };
    const doubt = (settings: TriggerSettings, own: Partial<Facts> = {}) =>
      trigger.doubtMs(settings, facts({ runtimeSeconds: 500, runtimeDoubt: jump, ...own }));
    expect(doubt(defaults)).to.equal(8001);
    expect(doubt(defaults, { estimate })).to.equal(8001);
    expect(doubt(estimated)).to.equal(8001);
    expect(doubt(estimated, { estimate })).to.equal(0);
  });

  it('names what counts, and the estimate beside it', () => {
    const measure = (settings: TriggerSettings, own: Partial<Facts>) => trigger.measure(facts(own), settings);
    expect(measure(defaults, {})).to.deep.equal({
      what: 'runtime',
      threshold: 600,
      reading: 3000,
      margin: 2400,
      words: 'runtime 3000 s, it fires below 600 s',
    });
    expect(measure(defaults, { estimate }).words, 'the UPS has its own').to.match(/below 600 s$/);
    expect(measure(defaults, { estimate, runtimeSeconds: null }).words).to.equal(
      'runtime unknown, it fires below 600 s (from earlier discharges: 1000 s, give or take 200 s; it counts only with runtime_source = "estimated")',
    );
    expect(measure(estimated, { estimate }).words).to.equal(
      'estimated runtime 800 s, it fires below 600 s (from earlier discharges: 1000 s, give or take 200 s; the lower end counts)',
    );
    expect(measure(estimated, { estimate, runtimeSeconds: null }).words).to.contain('the lower end counts');
    expect(measure(estimated, {}).words, 'no estimate yet').to.match(
      /^runtime 3000 s, it fires below 600 s$/,
    );
    expect(trigger.reason(facts({ runtimeSeconds: 500 }), defaults)).to.equal(
      'runtime 500 s, below critical_runtime_threshold 600 s',
    );
    expect(trigger.limit(defaults)).to.equal('runtime below 10 min');
    expect(trigger.limit(below(1000))).to.equal('runtime below 16 min 40 s');
  });
});
