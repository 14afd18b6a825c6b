// The contract of the MQTT worker: publishes the status to a broker and, if configured, discovery and availability. The
// daemon takes no input over MQTT (specification/mqtt.md#direction).
import * as t from 'io-ts';
import { RedundancyRow, UpsRow } from '../domain/status/status-model.js';
import { finite, integerFrom, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { nothing } from './contract.js';

/** Address and login of the broker. */
export const Broker = t.type(
  {
    /** True for mqtts: the system must trust the certificate. */
    tls: t.boolean,
    host: textUpTo(256),
    port: integerFrom(1, 65_535),
    /** "" for none. */
    username: textUpTo(4096),
    /** A secret; "" for none. */
    password: textUpTo(4096),
  },
  'Broker',
);
export type Broker = t.TypeOf<typeof Broker>;

export const MqttSettings = t.type(
  {
    /** Null while `mqtt.enabled` is false: no connection. */
    broker: orNull(Broker),
    topicPrefix: textUpTo(256),
    publishIntervalMs: finite,
    /** Home Assistant discovery documents. */
    discovery: t.boolean,
    /** A last will on `<prefix>/<host>/availability`. */
    availability: t.boolean,
  },
  'MqttSettings',
);
export type MqttSettings = t.TypeOf<typeof MqttSettings>;

/** A row of the status; for discovery the device, and its energy since the counting began, null while unknown. */
export const MqttUps = t.type(
  {
    row: UpsRow,
    device: t.type({ manufacturer: t.string, model: t.string, firmware: t.string }),
    totalKwh: orNull(finite),
  },
  'MqttUps',
);
export type MqttUps = t.TypeOf<typeof MqttUps>;

/** A change of the status since the last answered one; the complete status (`full`) after a restart. */
export const ShownChange = t.type(
  {
    full: t.boolean,
    ups: t.array(MqttUps),
    /** groupIds in configuration order: the order of the rows, and which ones still exist. */
    order: t.array(t.string),
    redundancyGroups: t.array(RedundancyRow),
  },
  'ShownChange',
);
export type ShownChange = t.TypeOf<typeof ShownChange>;

export const mqttContract = {
  name: 'mqtt',
  settings: MqttSettings,
  events: {
    'broker.connected': { body: t.type({ connected: t.boolean }), flow: 'newest' },
  },
  requests: {
    /** Newest wins: the supervisor sends the next change only after the answer to the last. */
    'status.publish': { params: ShownChange, result: nothing },
  },
  asks: {},
} as const satisfies Contract;
