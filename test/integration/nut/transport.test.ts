import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { NutClient } from '../../../workers/poller/client.js';
import { NutTools } from '../../../workers/poller/tools.js';
import { startRealServer } from './real-server.js';
import { nutTransportSuite } from './transport-suite.js';

const plain = { mode: 'opportunistic', caPem: null, pinSha256: null } as const;

nutTransportSuite(
  'the network transport with a real upsd',
  () => startRealServer(),
  ({ host, port }, ups, login) =>
    new NutClient({ host, port, ups, login, tls: plain, notice: () => undefined }),
);

let certificate: Certificate;

nutTransportSuite(
  'the network transport over TLS with a real upsd',
  async () => startRealServer((certificate = await makeCertificate())),
  ({ host, port }, ups, login) => {
    const tls = { mode: 'required', caPem: certificate.certPem, pinSha256: null } as const;
    return new NutClient({ host, port, ups, login, tls, notice: () => undefined });
  },
);

nutTransportSuite(
  'the tools transport with a real upsd',
  () => startRealServer(),
  ({ host, port }, ups, login) => new NutTools({ name: `${ups}@${host}:${String(port)}`, login }),
);
