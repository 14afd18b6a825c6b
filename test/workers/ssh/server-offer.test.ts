import { expect } from 'chai';
import fc from 'fast-check';
import { algorithms } from '../../../workers/ssh/algorithms.js';
import { ServerOffer } from '../../../workers/ssh/server-offer.js';

/** The first bytes of a server. */
function firstBytes(software: string, lists: readonly string[]): Buffer {
  const names = lists.map((list) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(list.length);
    return Buffer.concat([length, Buffer.from(list)]);
  });
  const payload = Buffer.concat([Buffer.from([20]), Buffer.alloc(16, 7), ...names, Buffer.alloc(5)]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + 5);
  head[4] = 4;
  return Buffer.concat([Buffer.from(`SSH-2.0-${software}\r\n`), head, payload, Buffer.alloc(4)]);
}

const offered = [
  'kex-a,kex-b,kex-strict-s-v00@openssh.com',
  'ssh-dss',
  'arcfour',
  'arcfour',
  'md5',
  'md5',
  'none',
  'none',
  '',
  '',
];
const noKex = 'Handshake failed: no matching key exchange algorithm';
const ours = algorithms([]);

function mismatch(software: string, message = noKex, lists = offered): string | undefined {
  const offer = new ServerOffer();
  for (const byte of firstBytes(software, lists)) offer.add(Buffer.from([byte]));
  return offer.mismatch(message, 'nas:22', ours);
}

describe('a login without a common algorithm', () => {
  for (const [software, advice] of [
    ['OpenSSH_10.0', /Allow one of these: "KexAlgorithms \+curve25519-sha256" in \/etc\/ssh\/sshd_config/],
    ['OpenSSH_for_Windows_9.5', /"KexAlgorithms \+curve25519-sha256" in %ProgramData%\\ssh\\sshd_config/],
    ['OpenSSH_5.3', /\. Update that server$/],
    ['dropbear_2013.58', /\. Dropbear has its key exchange built in: update it/],
    ['ROSSSH', /\. Update RouterOS/],
    ['Cisco-1.25', /"ip ssh server algorithm"/],
    ['mystery', /in the settings of that SSH server \(key exchange\), or update it$/],
  ] as const)
    it(`of ${software} says what both offer, and what to change there`, () => {
      const text = mismatch(software) ?? '';
      expect(text).to.contain(`nas:22 (${software}) and the daemon have no key exchange in common.`);
      expect(text).to.contain('The server offers kex-a, kex-b; the daemon offers curve25519-sha256,');
      expect(text).to.match(advice);
    });

  it('is named for host keys, ciphers and MACs, in either direction', () => {
    for (const [said, name, theirs] of [
      ['host key format', 'type of host key', 'ssh-dss'],
      ['C->S cipher', 'cipher', 'arcfour'],
      ['S->C cipher', 'cipher', 'arcfour'],
      ['C->S MAC', 'MAC', 'md5'],
      ['S->C MAC', 'MAC', 'md5'],
    ] as const)
      expect(mismatch('OpenSSH_9.2', `Handshake failed: no matching ${said}`)).to.contain(
        `no ${name} in common. The server offers ${theirs}; the daemon offers`,
      );
  });

  it('is no subject of other failures, and of a server whose offer is not complete', () => {
    expect(mismatch('OpenSSH_9.2', 'Handshake failed: signature verification failed')).to.equal(undefined);
    const offer = new ServerOffer();
    offer.add(firstBytes('OpenSSH_9.2', offered).subarray(0, 60));
    expect(offer.mismatch(noKex, 'nas:22', ours)).to.equal(undefined);
  });

  it('reads any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const offer = new ServerOffer();
        offer.add(Buffer.concat([Buffer.from('SSH-2.0-x\n'), Buffer.from(bytes)]));
        const text = offer.mismatch(noKex, 'nas:22', ours);
        return text === undefined || /^[ -~]*$/.test(text);
      }),
    );
  });

  it('has bounded text, however much a server offers', () => {
    expect(mismatch('x'.repeat(200), noKex, ['k,'.repeat(2_000), ...offered.slice(1)])?.length).to.be.below(
      900,
    );
  });
});
