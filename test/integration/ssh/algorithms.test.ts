// A real sshd without a common algorithm: the message has both sides and what to allow.
import { expect } from 'chai';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, shutDown, workOn } from './remote-parts.js';

describe('a server that has in common with the daemon', () => {
  let sshd: PrivateSshd;
  afterEach(() => sshd.stop());

  for (const [what, config, name, ours, setting] of [
    [
      'no key exchange, since all are post-quantum',
      'KexAlgorithms sntrup761x25519-sha512@openssh.com',
      'key exchange',
      'curve25519-sha256',
      'KexAlgorithms +',
    ],
    [
      'no key exchange, since all are old',
      'KexAlgorithms diffie-hellman-group14-sha1,diffie-hellman-group1-sha1',
      'key exchange',
      'ecdh-sha2-nistp256',
      'KexAlgorithms +',
    ],
    ['no cipher', 'Ciphers aes128-cbc,3des-cbc', 'cipher', 'aes256-ctr', 'Ciphers +aes256-ctr'],
    [
      'no MAC',
      'Ciphers aes128-ctr\nMACs umac-64@openssh.com,hmac-md5',
      'MAC',
      'hmac-sha2-256',
      'MACs +hmac-sha2-256',
    ],
  ] as const)
    it(`${what}, fails with both lists and the line for sshd_config`, async () => {
      sshd = await PrivateSshd.start({ config });
      const { result, detail } = await shutDown(accessTo(sshd), workOn());
      const theirs = (config.split(/\s/).at(-1) ?? '').replaceAll(',', ', ');
      expect(result).to.equal('failed');
      expect(detail).to.match(/^connect: 127\.0\.0\.1:\d+ \(OpenSSH_[\d.]+\S*.*\) and the daemon have no /);
      expect(detail).to.contain(`no ${name} in common. The server offers ${theirs}`);
      expect(detail.split('the daemon offers ')[1]).to.contain(ours);
      expect(detail).to.contain(`Allow one of these: "${setting}`).and.contain('/etc/ssh/sshd_config');
    });
});
