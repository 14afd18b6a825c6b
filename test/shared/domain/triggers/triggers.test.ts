// The consequences of the trigger table, and the rules of the specification for it.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { KeyDeclaration } from '../../../../shared/domain/base/keys.js';
import { ms, settingsOf } from '../../../../shared/domain/base/keys.js';
import {
  limitsOf,
  quantities,
  triggerKeys,
  triggerSettings,
  triggers,
  triggersOnByDefault,
} from '../../../../shared/domain/triggers/table.js';
import { plainTriggers, triggerInWords } from '../../../../shared/domain/status/wording.js';

describe('the triggers', () => {
  it('are those of the specification, in its order', () => {
    const policy = readFileSync('docs/specification/policy.md', 'utf8');
    const rows = [...policy.matchAll(/^\| (\d+) \| ([A-Z_]+) \|/gm)].map(([, , name]) => name);
    expect(triggers.map(({ name }) => name)).to.deep.equal(rows);
  });

  it('have words that replace their names on a page, except for FSD', () => {
    expect(triggerInWords('LOW_BATTERY_FLAG')).to.equal('low-battery flag');
    expect(plainTriggers('in 5 s by LOW_BATTERY, LOW_BATTERY_FLAG or FAILSAFE; FSD acts, OB stays')).to.equal(
      'in 5 s by low charge, low-battery flag or connection lost on battery; FSD acts, OB stays',
    );
  });

  it('are all on by default, and all but OUTPUT_OFF and those of time and words need a value', () => {
    expect(triggersOnByDefault.map(({ name }) => name)).to.deep.equal([
      'LOW_BATTERY',
      'CRITICAL_RUNTIME',
      'DEPLETION',
      'EXTENDED_TIME',
      'LOW_BATTERY_FLAG',
      'OUTPUT_OFF',
    ]);
    expect(quantities.map(({ variable }) => variable)).to.deep.equal(['battery.charge', 'battery.runtime']);
  });

  it('name their limits in their order, but not those of a trigger that is off', () => {
    const settings = triggerSettings(settingsOf(triggerKeys));
    const limits = [
      'charge below 20 %',
      'runtime below 10 min',
      'depletion above 15 %/min',
      'more than 15 min on battery',
      'the LB flag',
      'OFF for 30 s',
    ];
    expect(limitsOf(settings)).to.deep.equal(limits);
    expect(limitsOf({ ...settings, lowBatteryPercent: 0 })).to.deep.equal(limits.slice(1));
  });
});

describe('the keys of [triggers]', () => {
  it('have these bounds and defaults', () => {
    expect(Object.fromEntries(rangesOf(triggerKeys))).to.deep.equal({
      low_battery_threshold: [0, 100, 20],
      critical_runtime_threshold: [0, 86_400, 600],
      runtime_source: 'ups',
      on_battery_stabilization_delay: [0, 3600, 30],
      confirmations: [1, 100, 2],
      trigger_on_low_battery_flag: true,
      low_battery_flag_delay: [0, 300, 15],
      output_off_delay: [0, 3600, 30],
      bypass_end_delay: [0, 3600, 60],
      failsafe_delay: [0, 3600, 15],
      failsafe_share: [0, 1, 0.02],
      voltage_sensitivity: 'normal',
      'depletion.window': [1, 86_400, 300],
      'depletion.critical_rate': [0.01, 10_000, 15],
      'depletion.grace_period': [0, 86_400, 90],
      'depletion.runtime_hold': [0, 600, 120],
      'extended_time.enabled': true,
      'extended_time.threshold': [0, 604_800, 900],
    });
  });

  it('are seconds in the file and whole milliseconds in policy', () => {
    expect([0, 0.0004, 0.0005, 1.5, 30].map(ms)).to.deep.equal([0, 0, 1, 1500, 30_000]);
    const { stabilizationMs, bypassEndMs } = triggerSettings(settingsOf(triggerKeys));
    expect([stabilizationMs, bypassEndMs]).to.deep.equal([30_000, 60_000]);
  });

  /** Least, most and default of each key. */
  function rangesOf(
    keys: Readonly<Record<string, KeyDeclaration>>,
    prefix = '',
  ): readonly (readonly [string, unknown])[] {
    return Object.entries(keys).flatMap(([name, key]) => {
      if (key.kind === 'table') return rangesOf(key.keys, `${prefix}${name}.`);
      if (key.kind !== 'key') throw new Error(`${name} has no default`);
      const { shape } = key.codec;
      const isRange = shape?.kind === 'number' || shape?.kind === 'integer';
      const range = isRange ? [shape.low, shape.high, key.fallback] : key.fallback;
      return [[`${prefix}${name}`, range] as const];
    });
  }
});
