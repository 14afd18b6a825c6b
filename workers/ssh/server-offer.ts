// What a server offers in the key exchange: its first packet, which is not encrypted (RFC 4253, 4.2 and 7.1). For the message about
// a login without a common algorithm: what both sides offer, and what to allow there. Decides nothing.
import type { Algorithms } from 'ssh2';

/** The greeting and the offer take about 2 KB. */
const maxBytes = 16_384;
const kexInit = 20;

export class ServerOffer {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    if (this.#bytes.length < maxBytes)
      this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(0, maxBytes - this.#bytes.length)]);
  }

  /**
   * Says what is not common, when the SSH library failed with `message` for that; else undefined. `where` is the server, `ours` what was
   * offered to it.
   */
  mismatch(message: string, where: string, ours: Algorithms): string | undefined {
    const what = /no matching (.+)$/.exec(message)?.[1];
    const kind = kinds.find(({ said }) => what === said);
    const offer = this.#read();
    if (kind === undefined || offer === undefined) return undefined;
    // Among the key exchanges stand words for extensions, which are none.
    const theirs = (offer.lists[kind.place] ?? '')
      .split(',')
      .filter((one) => !/^kex-strict-|^ext-info-/.test(one));
    const own = [kind.ours(ours)].flat().join(', ');
    return (
      `${where} (${offer.software}) and the daemon have no ${kind.name} in common. The server offers ` +
      `${shown(theirs.join(', '))}; the daemon offers ${own}. ${adviceFor(offer.software, kind)}`
    );
  }

  #read(): { readonly software: string; readonly lists: readonly string[] } | undefined {
    const text = this.#bytes.toString('latin1');
    const greeting = /^SSH-[\d.]+-([^\r\n]*)\r?\n/m.exec(text);
    if (greeting === null) return undefined;
    const packet = this.#bytes.subarray(greeting.index + greeting[0].length);
    // Length of the packet, length of its padding, type, cookie.
    if (packet.length < 22 || packet[5] !== kexInit) return undefined;
    const lists: string[] = [];
    for (let at = 22; lists.length < 10 && at + 4 <= packet.length;) {
      const end = at + 4 + packet.readUInt32BE(at);
      if (end > packet.length) return undefined;
      lists.push(printable(packet.toString('latin1', at + 4, end)));
      at = end;
    }
    return lists.length < 10 ? undefined : { software: printable(greeting[1] ?? '').slice(0, 60), lists };
  }
}

interface Kind {
  /** In the message of ssh2. */
  readonly said: string;
  /** Its list in the packet. */
  readonly place: number;
  readonly name: string;
  readonly ours: (algorithms: Algorithms) => unknown;
  /** In sshd_config(5). */
  readonly setting: string;
}

const kinds: readonly Kind[] = [
  {
    ...{ said: 'key exchange algorithm', place: 0, name: 'key exchange', ours: ({ kex }) => kex },
    setting: 'KexAlgorithms +curve25519-sha256',
  },
  {
    ...{ said: 'host key format', place: 1, name: 'type of host key', ours: (of) => of.serverHostKey },
    setting: 'HostKey /etc/ssh/ssh_host_ed25519_key (made by ssh-keygen -A)',
  },
  ...(['C->S', 'S->C'] as const).flatMap((way, place): Kind[] => [
    {
      ...{ said: `${way} cipher`, place: 2 + place, name: 'cipher', ours: ({ cipher }) => cipher },
      setting: 'Ciphers +aes256-ctr',
    },
    {
      ...{ said: `${way} MAC`, place: 4 + place, name: 'MAC', ours: ({ hmac }) => hmac },
      setting: 'MACs +hmac-sha2-256',
    },
  ]),
];

/** What to change, by the software that the server names. */
function adviceFor(software: string, { setting, name }: Kind): string {
  const version = Number(/^OpenSSH_(?:for_Windows_)?(\d+\.\d+)/.exec(software)?.[1]);
  // curve25519-sha256@libssh.org and Ed25519 came with 6.5.
  if (version < 6.5) return 'Update that server';
  const restart = 'and restart its SSH server';
  if (/^OpenSSH_for_Windows/.test(software))
    return `Allow one of these: "${setting}" in %ProgramData%\\ssh\\sshd_config there, ${restart}`;
  if (/^OpenSSH/.test(software))
    return `Allow one of these: "${setting}" in /etc/ssh/sshd_config there, or the crypto policy of its system, ${restart}`;
  if (/^dropbear/i.test(software)) return `Dropbear has its ${name} built in: update it (the firmware)`;
  if (/^ROSSSH/.test(software)) return 'Update RouterOS, or change strong-crypto in /ip ssh';
  if (/^Cisco/.test(software))
    return 'Allow one of these with "ip ssh server algorithm" where its IOS has it, else update it';
  return `Allow one of these in the settings of that SSH server (${name}), or update it`;
}

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** Long lists end the message early. */
const shown = (list: string): string =>
  list === '' ? 'none' : list.length > 400 ? `${list.slice(0, 400)}...` : list;
