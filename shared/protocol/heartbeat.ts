// The contract of the heartbeat worker: one request to the configured address whenever the supervisor says so.
import * as t from 'io-ts';
import { OutboundProxies } from '../domain/services/outbound-proxies.js';
import { orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { nothing } from './contract.js';

export const HeartbeatSettings = t.type(
  {
    /** A secret, http:// or https://; null while it is off. */
    url: orNull(textUpTo(4096)),
    proxies: OutboundProxies,
  },
  'HeartbeatSettings',
);
export type HeartbeatSettings = t.TypeOf<typeof HeartbeatSettings>;

/** The other side did not take it; the message has no part of the address. */
export const heartbeatFailed = 'HEARTBEAT_FAILED';

export const heartbeatContract = {
  name: 'heartbeat',
  settings: HeartbeatSettings,
  events: {},
  requests: {
    /** Answers once the other side has taken it. Fails with `heartbeatFailed`. */
    'heartbeat.send': { params: nothing, result: nothing },
  },
  asks: {},
} as const satisfies Contract;
