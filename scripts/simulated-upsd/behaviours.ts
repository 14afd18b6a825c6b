// How devices and drivers differ from the physics of `model-device.ts`: one table. Each changes what upsd shows, not the UPS.
import type { SimulatedFault } from './faults.js';

type Values = Readonly<Record<string, string | undefined>>;

/** In seconds of the UPS. */
export interface Moment {
  readonly seconds: number;
  /** Null on line power. */
  readonly onBatterySeconds: number | null;
}

export interface Behaviour {
  readonly says: string;
  /** Called once for each UPS: what it returns may remember values. */
  readonly values?: () => (values: Values, moment: Moment) => Values;
  readonly isStale?: (moment: Moment) => boolean;
  /** Of the server. */
  readonly fault?: SimulatedFault;
}

/** The default `pollfreq` of usbhid-ups and nutdrv_qx. */
const pollSeconds = 30;

const held: Behaviour = {
  says: `the driver reads all but the status every ${String(pollSeconds)} s (pollfreq of usbhid-ups)`,
  values: () => {
    const driver = { 'driver.name': 'usbhid-ups', 'driver.parameter.pollfreq': String(pollSeconds) };
    let kept: { readonly values: Values; readonly read: number } | undefined;
    return (values, { seconds }) => {
      const read = Math.floor(seconds / pollSeconds);
      if (kept?.read !== read) kept = { values: { ...values, ...driver }, read };
      return { ...kept.values, 'ups.status': values['ups.status'] };
    };
  },
};

const lying: Behaviour = {
  says: 'on battery, charge and runtime are 0 for a second of each minute; with "held" for a sample of the driver',
  values:
    () =>
    (values, { seconds, onBatterySeconds }) =>
      onBatterySeconds !== null && Math.floor(seconds) % 60 === pollSeconds
        ? { ...values, 'battery.charge': '0', 'battery.runtime': '0' }
        : values,
};

const gauge = (grain: number): Behaviour => ({
  says: `the charge has steps of ${String(grain)} %`,
  values: () => (values) => ({
    ...values,
    'battery.charge': String(Math.ceil(Number(values['battery.charge']) / grain) * grain),
  }),
});

const noGauge: Behaviour = {
  says: 'charge and runtime are 0 at all times',
  values: () => (values) => ({ ...values, 'battery.charge': '0', 'battery.runtime': '0' }),
};

const flicker: Behaviour = {
  says: 'on battery, each third second shows OL',
  values:
    () =>
    (values, { seconds, onBatterySeconds }) =>
      onBatterySeconds !== null && Math.floor(seconds) % 3 === 2 ? { ...values, 'ups.status': 'OL' } : values,
};

const olOb: Behaviour = {
  says: 'the status has both OL and OB, on line power and on battery',
  values: () => (values) => ({
    ...values,
    'ups.status': values['ups.status']?.replace(/\bO[LB]\b/, 'OL OB'),
  }),
};

const threePhases: Behaviour = {
  says: 'voltages, load and power are shown for each of three phases alone',
  values: () => (values) => {
    const {
      'input.voltage': input,
      'output.voltage': output,
      'ups.load': load,
      'ups.realpower': power,
      ...others
    } = values;
    const each = ['L1', 'L2', 'L3'].map((phase) => ({
      [`input.${phase}-N.voltage`]: input,
      [`output.${phase}-N.voltage`]: output,
      [`output.${phase}.power.percent`]: load,
      [`output.${phase}.realpower`]: (Number(power) / 3).toFixed(0),
    }));
    return Object.assign({ ...others, 'input.phases': '3', 'output.phases': '3' }, ...each) as Values;
  },
};

const lostPhase: Behaviour = {
  says: 'with "three-phases": L2 has no input voltage from the second minute on',
  values:
    () =>
    (values, { seconds }) =>
      seconds >= 60 && values['input.L2-N.voltage'] !== undefined
        ? { ...values, 'input.L2-N.voltage': '0.0' }
        : values,
};

/** In the order in which they apply: a driver holds what the device has said. */
const named = {
  'gauge-5': gauge(5),
  'gauge-10': gauge(10),
  'gauge-20': gauge(20),
  'gauge-25': gauge(25),
  'no-gauge': noGauge,
  lying,
  'three-phases': threePhases,
  'lost-phase': lostPhase,
  held,
  flicker,
  'ol-ob': olOb,
  stale: {
    says: 'on battery, the driver is stale for 30 s of each 2 minutes',
    isStale: ({ onBatterySeconds }) => onBatterySeconds !== null && onBatterySeconds % 120 >= 90,
  },
  late: {
    says: 'an answer with all variables takes about 3 s',
    fault: { kind: 'slow', bytesPerSecond: 1000 },
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type BehaviourName = keyof typeof named;

export const behaviours: Readonly<Record<BehaviourName, Behaviour>> = named;

export const behaviourNames = Object.keys(named) as readonly BehaviourName[];

export function isBehaviourName(text: string): text is BehaviourName {
  return Object.hasOwn(named, text);
}
