// The address that a trusted proxy forwards (specification/api.md#behind-a-proxy). It is for records only: no limit and no
// right depends on it.
import { BlockList, isIP } from 'node:net';
import { asIPv4 } from './peer.js';
import { valuesOf } from './raw-headers.js';

/** Application Gateway and IIS write the port of the client too, and an IPv6 address in brackets. */
const withPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/;

function withoutPort(text: string): string {
  const [, bracketed, plain] = withPort.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

export class TrustedProxies {
  readonly #listed: () => readonly string[];
  #ranges: readonly string[] = [];
  #list = new BlockList();

  /** Addresses and ranges (`192.0.2.0/24`), valid by the configuration. */
  constructor(listed: () => readonly string[]) {
    this.#listed = listed;
  }

  /**
   * The last address of X-Forwarded-For that is not a trusted proxy's: a proxy adds at the end, so a client can only write what
   * stands before it. Null without one, and for any other peer.
   */
  forwardedFor(peer: string, rawHeaders: readonly string[]): string | null {
    if (this.#listed().length === 0 || !this.#includes(peer)) return null;
    const addresses = valuesOf(rawHeaders, 'x-forwarded-for').join(',').split(',');
    let found: string | null = null;
    for (const text of addresses.reverse()) {
      // The zone that Apache writes is on its own machine. Any other text in one refuses the address.
      const address = asIPv4(withoutPort(text.trim()).replace(/%[\w.-]{1,16}$/, ''));
      if (isIP(address) === 0 || address.includes('%')) return found;
      found = address;
      if (!this.#includes(address)) return found;
    }
    return found;
  }

  /** The zone of an address says on which link it is, not whose it is. */
  #includes(zoned: string): boolean {
    const address = zoned.replace(/%.*$/, '');
    const ranges = this.#listed();
    if (ranges !== this.#ranges) {
      this.#ranges = ranges;
      this.#list = new BlockList();
      for (const range of ranges) {
        const [network = '', bits] = range.split('/');
        const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
        if (bits === undefined) this.#list.addAddress(network, family);
        else this.#list.addSubnet(network, Number(bits), family);
      }
    }
    const family = isIP(address);
    return family !== 0 && this.#list.check(address, family === 4 ? 'ipv4' : 'ipv6');
  }
}
