// The settings of triggers as words of a transcript, `low=20 runtime=10m flag=off`: one table reads and writes them.
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import { triggerSettings } from '../../shared/domain/triggers/table.js';
import { settingsOf } from '../../shared/domain/base/keys.js';
import { triggerKeys } from '../../shared/domain/triggers/table.js';
import { formatDuration, parseDuration } from './duration.js';

/** A switch is written only when it is off. */
interface Word {
  readonly key: string;
  readonly read: (text: string, before: TriggerSettings) => Partial<TriggerSettings>;
  readonly write: (settings: TriggerSettings) => string | null;
}

const time = (ms: number) => formatDuration(ms);
const off = (isOn: boolean) => (isOn ? null : 'off');

const words: readonly Word[] = [
  {
    key: 'low',
    read: (text) => ({ lowBatteryPercent: Number(text) }),
    write: ({ lowBatteryPercent }) => String(lowBatteryPercent),
  },
  {
    key: 'runtime',
    read: (text) => ({ criticalRuntimeSeconds: parseDuration(text) / 1000 }),
    write: ({ criticalRuntimeSeconds }) => time(criticalRuntimeSeconds * 1000),
  },
  {
    key: 'runtime-source',
    read: (text) => ({ runtimeSource: text as TriggerSettings['runtimeSource'] }),
    write: ({ runtimeSource }) => (runtimeSource === 'ups' ? null : runtimeSource),
  },
  {
    key: 'delay',
    read: (text) => ({ stabilizationMs: parseDuration(text) }),
    write: ({ stabilizationMs }) => time(stabilizationMs),
  },
  {
    key: 'confirmations',
    read: (text) => ({ confirmations: Number(text) }),
    write: ({ confirmations }) => String(confirmations),
  },
  {
    key: 'flag',
    read: (text) => ({ lowBatteryFlag: text !== 'off' }),
    write: ({ lowBatteryFlag }) => off(lowBatteryFlag),
  },
  {
    key: 'flag-delay',
    read: (text) => ({ lowBatteryFlagDelayMs: parseDuration(text) }),
    write: ({ lowBatteryFlagDelayMs }) => time(lowBatteryFlagDelayMs),
  },
  {
    key: 'output-off',
    read: (text) => ({ outputOffMs: parseDuration(text) }),
    write: ({ outputOffMs }) => time(outputOffMs),
  },
  {
    key: 'bypass-end',
    read: (text) => ({ bypassEndMs: parseDuration(text) }),
    write: ({ bypassEndMs }) => time(bypassEndMs),
  },
  {
    key: 'failsafe',
    read: (text) => ({ failsafeMs: parseDuration(text) }),
    write: ({ failsafeMs }) => time(failsafeMs),
  },
  {
    key: 'failsafe-share',
    read: (text) => ({ failsafeShare: Number(text) }),
    write: ({ failsafeShare }) => String(failsafeShare),
  },
  {
    key: 'window',
    read: (text, { depletion }) => ({ depletion: { ...depletion, windowMs: parseDuration(text) } }),
    write: ({ depletion }) => time(depletion.windowMs),
  },
  {
    key: 'rate',
    read: (text, { depletion }) => ({ depletion: { ...depletion, criticalRate: Number(text) } }),
    write: ({ depletion }) => String(depletion.criticalRate),
  },
  {
    key: 'depletion-grace',
    read: (text, { depletion }) => ({ depletion: { ...depletion, graceMs: parseDuration(text) } }),
    write: ({ depletion }) => time(depletion.graceMs),
  },
  {
    key: 'runtime-hold',
    read: (text, { depletion }) => ({ depletion: { ...depletion, runtimeHoldMs: parseDuration(text) } }),
    write: ({ depletion }) => time(depletion.runtimeHoldMs),
  },
  {
    key: 'extended',
    read: (text, { extendedTime }) => ({ extendedTime: { ...extendedTime, enabled: text !== 'off' } }),
    write: ({ extendedTime }) => off(extendedTime.enabled),
  },
  {
    key: 'threshold',
    read: (text, { extendedTime }) => ({
      extendedTime: { ...extendedTime, thresholdMs: parseDuration(text) },
    }),
    write: ({ extendedTime }) => time(extendedTime.thresholdMs),
  },
  {
    key: 'voltage',
    read: (text) => ({ voltageSensitivity: text as TriggerSettings['voltageSensitivity'] }),
    write: ({ voltageSensitivity }) => voltageSensitivity,
  },
];

/** The defaults of the configuration. */
export const defaultTriggers: TriggerSettings = triggerSettings(settingsOf(triggerKeys));

export function triggersFrom(given: ReadonlyMap<string, string>): TriggerSettings {
  return words.reduce<TriggerSettings>((before, { key, read }) => {
    const text = given.get(key);
    return text === undefined ? before : { ...before, ...read(text, before) };
  }, defaultTriggers);
}

export function triggerWords(settings: TriggerSettings): readonly string[] {
  return words.flatMap(({ key, write }) => {
    const text = write(settings);
    return text === null ? [] : [`${key}=${text}`];
  });
}
