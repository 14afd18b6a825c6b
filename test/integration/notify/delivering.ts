// One attempt at a service by its address, over real sockets.
import { lookup } from 'node:dns';
import type { OutboundProxies } from '../../../shared/domain/services/outbound-proxies.js';
import { noProxies } from '../../../shared/domain/services/outbound-proxies.js';
import { proxyFor } from '../../../shared/runtime/proxy-choice.js';
import { serviceAddress } from '../../../shared/domain/services/service-address.js';
import type { Message } from '../../../workers/notify/message.js';
import { messageOf } from '../../../workers/notify/message.js';
import { ServiceAddresses } from '../../../workers/notify/services/addresses.js';
import type { SendOutcome } from '../../../workers/notify/services/outcome.js';
import { serviceAt } from '../../../workers/notify/services/service.js';
import { plainForm } from '../../workers/notify/fixture.js';

/** 2023-11-14 22:13:20 UTC. */
const at = 1_700_000_000;

export const message: Message = messageOf(
  {
    id: 'a1b2-7',
    at,
    source: 'office-127.0.0.1',
    type: 'ON_BATTERY',
    text: 'Büro is on battery (charge 87 %). Shutdown begins at <20 %, & soon.',
    urgent: true,
  },
  plainForm,
  0,
  at,
);

/** `withinMs` stands for the timeout of the queue; null: given up by it. */
export async function deliver(
  url: string,
  options: {
    readonly ca?: string;
    readonly withinMs?: number;
    readonly message?: Message;
    readonly headers?: Record<string, string>;
    readonly hostName?: string;
    readonly proxies?: OutboundProxies;
    /** Messages one after the other; the outcome is that of the last. */
    readonly times?: number;
  } = {},
): Promise<SendOutcome | null> {
  const parsed = serviceAddress(url);
  if (!parsed.ok) throw new Error(`not an address: ${parsed.expected}`);
  const addresses = new ServiceAddresses((host, done) => lookup(host, { all: true }, done));
  const { ca, hostName = 'nas01', proxies = noProxies } = options;
  const outside = {
    lookup: addresses.lookup,
    hostName,
    proxyFor: (address: string) => proxyFor(address, proxies),
    ...(ca === undefined ? {} : { ca }),
  };
  const controller = new AbortController();
  let givenUp = false;
  const timer = setTimeout(() => {
    givenUp = true;
    controller.abort();
  }, options.withinMs ?? 60_000);
  const service = serviceAt(parsed.address, options.headers ?? {}, outside);
  const send = (): Promise<SendOutcome> => service.send(options.message ?? message, controller.signal);
  for (let sent = 1; sent < (options.times ?? 1); sent++) await send();
  const outcome = await send();
  clearTimeout(timer);
  return givenUp ? null : outcome;
}

/** The error code, `delivered`, or `given up`. */
export function verdict(outcome: SendOutcome | null): string {
  if (outcome === null) return 'given up';
  return outcome.ok ? 'delivered' : outcome.fault.code;
}
