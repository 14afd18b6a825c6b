// The algorithms offered in the key exchange: no old and no expensive ones. A hundred parallel logins share one processor, and
// no server may choose work that blocks it.
import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2';

const hostKeys: readonly (readonly [string, readonly ServerHostKeyAlgorithm[]])[] = [
  ['ssh-ed25519', ['ssh-ed25519']],
  ['ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256']],
  ['ecdsa-sha2-nistp384', ['ecdsa-sha2-nistp384']],
  ['ecdsa-sha2-nistp521', ['ecdsa-sha2-nistp521']],
  ['ssh-rsa', ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa']],
];

/** The known host key types of a server come first, so that it uses one of them (RFC 4253, 7.1). */
export function algorithms(knownTypes: readonly string[]): Algorithms {
  const known = hostKeys.filter(([type]) => knownTypes.includes(type));
  const others = hostKeys.filter(([type]) => !knownTypes.includes(type));
  return {
    // No group exchange, in which the server chooses the size, and no groups above 4096 bits.
    kex: [
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'ecdh-sha2-nistp256',
      'ecdh-sha2-nistp384',
      'ecdh-sha2-nistp521',
      'diffie-hellman-group14-sha256',
      'diffie-hellman-group16-sha512',
    ],
    serverHostKey: [...known, ...others].flatMap(([, names]) => names),
    cipher: [
      'aes128-gcm@openssh.com',
      'aes256-gcm@openssh.com',
      'aes128-ctr',
      'aes192-ctr',
      'aes256-ctr',
      'chacha20-poly1305@openssh.com',
    ],
    hmac: [
      'hmac-sha2-256-etm@openssh.com',
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha1-etm@openssh.com',
      'hmac-sha2-256',
      'hmac-sha2-512',
      'hmac-sha1',
    ],
    // No compression: a small packet could expand to any amount of memory.
    compress: ['none'],
  };
}
