// The scenarios that come with the simulator. Times are seconds of the UPS: at the demo's speed of 20, a minute is 3 s.
// More than a minute of real time lies between two outages also at that speed; the daemon would join closer ones.
import type { ScenarioEvent, Scenario } from './scenario.js';

/** Where every scenario starts: steady line, full healthy battery, usual load. */
const steady: ScenarioEvent = {
  atSeconds: 0,
  says: 'mains steady, battery full',
  mainsVolts: 230,
  mainsHertz: 50,
  loadPercent: 45,
  temperatureCelsius: 24,
  bypass: false,
  sourceWord: null,
  chargePercent: 100,
  batteryHealthPercent: 100,
  replaceBattery: false,
  fsd: false,
  link: 'ok',
};

const named = {
  mains: {
    title: 'Mains',
    sentence: 'The line is good and the battery is full.',
    lengthSeconds: 3600,
    events: [steady],
  },
  outage: {
    title: 'Outage',
    sentence: 'The power fails, the battery drains until a shutdown starts, and the power returns later.',
    lengthSeconds: 2300,
    events: [
      steady,
      { atSeconds: 100, says: 'the power fails', mainsVolts: 0 },
      { atSeconds: 1060, says: 'the power returns', mainsVolts: 231 },
    ],
  },
  brownout: {
    title: 'Brownout',
    sentence: 'The line sags: the UPS boosts it, then runs on battery, then the line recovers.',
    lengthSeconds: 1400,
    events: [
      steady,
      { atSeconds: 100, says: 'the line sags to 196 V, the UPS boosts it', mainsVolts: 196 },
      { atSeconds: 340, says: 'the line sags to 161 V, the UPS runs on battery', mainsVolts: 161 },
      { atSeconds: 480, says: 'the line is back at 202 V, boosted', mainsVolts: 202 },
      { atSeconds: 640, says: 'the line overshoots to 262 V, the UPS trims it', mainsVolts: 262 },
      { atSeconds: 760, says: 'the line is good again', mainsVolts: 230 },
    ],
  },
  'self-test': {
    title: 'Self test',
    sentence: 'The UPS tests its battery: it runs on battery while the line is good.',
    lengthSeconds: 700,
    events: [
      steady,
      { atSeconds: 100, says: 'the UPS starts a deep battery test', command: 'test.battery.start.deep' },
    ],
  },
  flapping: {
    title: 'Flapping',
    sentence: 'The line fails and returns every few seconds.',
    lengthSeconds: 760,
    events: [
      steady,
      ...Array.from({ length: 8 }, (_, index) => [
        { atSeconds: 100 + index * 80, says: 'the line fails', mainsVolts: 0 },
        { atSeconds: 100 + index * 80 + 40, says: 'the line returns', mainsVolts: 230 },
      ]).flat(),
    ],
  },
  'dying-battery': {
    title: 'Dying battery',
    sentence:
      'The battery has lost most of its capacity: the test fails, and the load loses power soon after an outage starts.',
    lengthSeconds: 1560,
    events: [
      { ...steady, says: 'mains steady, the battery is old', batteryHealthPercent: 14 },
      { atSeconds: 100, says: 'a battery test fails', command: 'test.battery.start.quick' },
      { atSeconds: 240, says: 'the power fails', mainsVolts: 0 },
      { atSeconds: 520, says: 'the power returns', mainsVolts: 230 },
    ],
  },
  fsd: {
    title: 'Forced shutdown',
    sentence: 'Another machine on this UPS sets FSD before the battery is low.',
    lengthSeconds: 1800,
    events: [
      steady,
      { atSeconds: 100, says: 'the power fails', mainsVolts: 0 },
      { atSeconds: 240, says: 'the primary sets FSD', fsd: true },
      { atSeconds: 600, says: 'the power returns', mainsVolts: 230 },
      { atSeconds: 660, says: 'upsd restarts, FSD is cleared', fsd: false },
    ],
  },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof named;

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = named;

export const scenarioNames = Object.keys(named) as readonly ScenarioName[];

export function isScenarioName(text: string): text is ScenarioName {
  return Object.hasOwn(named, text);
}
