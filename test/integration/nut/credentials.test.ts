// Reads with a login, a client certificate and few connections, on the simulated server that demands them.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { ClientOptions } from '../../../workers/poller/session/client.js';
import { NutClient } from '../../../workers/poller/session/client.js';
import { SharedSessions } from '../../../workers/poller/session/shared-sessions.js';
import type { SimulatedUpsd, SimulatedUpsdOptions } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { skipFor } from '../../fixtures/skip.js';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import type { Machine } from '../../fixtures/namespaces.js';
import { Network, networkProblem } from '../../fixtures/namespaces.js';
import { tlsOff } from '../../fixtures/poller-settings.js';

const deadlineMs = 20_000;
const reader = { username: 'monitor', password: 'read only' };
const operator = { username: 'operator', password: 'may command' };

describe('reads with credentials', () => {
  let server: SimulatedUpsd;
  let received: string[][];
  let notices: string[];
  let certificates: { readonly ours: Certificate; readonly clients: Certificate };
  const open: NutClient[] = [];

  before(async () => {
    const [ours, clients] = await Promise.all([makeCertificate(), makeCertificate()]);
    certificates = { ours, clients };
  });
  beforeEach(() => {
    received = [];
    notices = [];
  });
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    await server.stop();
  });

  async function start(options: Partial<SimulatedUpsdOptions> = {}): Promise<void> {
    server = await startSimulatedUpsd({
      ups: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })),
      users: [
        { name: reader.username, password: reader.password },
        { name: operator.username, password: operator.password, instcmds: ['ALL'] },
      ],
      onQuery: (words) => received.push([...words]),
      ...options,
    });
  }
  function client(options: Partial<ClientOptions> = {}): NutClient {
    const { host, port } = server;
    const notice = (message: string): number => notices.push(message);
    const made = new NutClient({ ups: 'a', host, port, tls: tlsOff, login: null, notice, ...options });
    open.push(made);
    return made;
  }
  async function read(of: NutClient): Promise<string> {
    const answer = await of.readVariables(deadlineMs);
    return answer.ok ? 'OK' : `${answer.failure.detail}: ${answer.failure.message}`;
  }
  const verbs = (): string[] => received.map(([verb = '']) => verb);

  it('sends the login of the configuration before the first read, once for each connection', async () => {
    await start({ readsNeedLogin: true });
    const of = client({ login: reader });
    expect(await read(of)).to.equal('OK');
    expect(await read(of)).to.equal('OK');
    expect(received.slice(0, 2)).to.deep.equal([
      ['USERNAME', reader.username],
      ['PASSWORD', reader.password],
    ]);
    expect(verbs()).to.deep.equal(['USERNAME', 'PASSWORD', 'LIST', 'LIST']);
  });

  it('sends it after STARTTLS', async () => {
    await start({ readsNeedLogin: true, tls: certificates.ours });
    const tls = { ...tlsOff, mode: 'required', caPem: certificates.ours.certPem } as const;
    expect(await read(client({ login: reader, tls }))).to.equal('OK');
    expect(verbs()).to.deep.equal(['STARTTLS', 'VER', 'USERNAME', 'PASSWORD', 'LIST']);
  });

  it('says that a login is refused, and does not try the one of nut_control', async () => {
    await start({ readsNeedLogin: true });
    const of = client({ login: { ...reader, password: 'wrong' }, loginIfRefused: operator });
    expect(await read(of)).to.match(/^ACCESS_DENIED: .*with this user name and password/);
    expect(JSON.stringify(received)).not.to.contain(operator.password);
  });

  it('says what to set where a server wants a login and there is none', async () => {
    await start({ readsNeedLogin: true });
    expect(await read(client())).to.match(/^ACCESS_DENIED: .*USERNAME-REQUIRED.*nut\.username/);
  });

  it('uses the login of nut_control on loopback once a read was refused, and says so once', async () => {
    await start({ readsNeedLogin: true });
    const of = client({ loginIfRefused: operator });
    expect(await read(of)).to.equal('OK');
    expect(await read(of)).to.equal('OK');
    server.dropConnections();
    expect(await read(of)).to.equal('OK');
    const round = ['LIST', 'USERNAME', 'PASSWORD', 'LIST'];
    expect(verbs().filter((verb) => verb !== 'VER')).to.deep.equal([...round, 'LIST', ...round]);
    expect(notices.filter((text) => text.includes('nut_control'))).to.have.length(1);
  });

  it('sends no login to a server that answers without one', async () => {
    await start();
    expect(await read(client({ loginIfRefused: operator }))).to.equal('OK');
    expect(verbs()).to.deep.equal(['LIST']);
  });

  it('tries the login of nut_control once on a connection that still refuses', async () => {
    await start({ readsNeedLogin: true });
    const of = client({ loginIfRefused: { ...operator, password: 'wrong' } });
    for (let poll = 0; poll < 3; poll += 1) expect(await read(of)).to.match(/^ACCESS_DENIED/);
    expect(verbs().filter((verb) => verb === 'PASSWORD')).to.have.length(1);
  });

  it('shows its certificate to a server that demands one', async () => {
    const { ours, clients } = certificates;
    await start({ tls: ours, clientCaPem: clients.certPem });
    const tls = { ...tlsOff, mode: 'required', caPem: ours.certPem } as const;
    expect(await read(client({ tls: { ...tls, client: clients } }))).to.equal('OK');
    expect(await read(client({ tls }))).to.match(/^TLS_FAILED/);
    expect(await read(client({ tls: { ...tls, client: ours } }))).to.match(/^TLS_FAILED/);
  });

  it('reads five UPSes of a server that allows three connections, beside commands', async () => {
    await start({ maxConnections: 3 });
    const shared = new SharedSessions();
    const all = ['a', 'b', 'c', 'd', 'e'];
    const pollers = all.map((ups) => client({ ups, shared }));
    const commanders = all.map((ups) => client({ ups, shared, login: operator, tracks: true }));
    for (let round = 0; round < 3; round += 1) {
      const [reads, lists] = await Promise.all([
        Promise.all(pollers.map(read)),
        Promise.all(commanders.map((one) => one.listCommands(deadlineMs))),
      ]);
      expect(reads).to.deep.equal(all.map(() => 'OK'));
      expect(lists.map(({ ok }) => ok)).to.deep.equal(all.map(() => true));
      expect(server.connections).to.be.at.most(2);
      commanders.forEach((one) => one.disconnect());
    }
    pollers[0]?.close();
    expect(await read(client({ ups: 'b', shared }))).to.equal('OK');
    expect(await Promise.all(pollers.slice(1).map(read))).to.deep.equal(['OK', 'OK', 'OK', 'OK']);
    expect(await read(pollers[0] ?? client())).to.match(/^SERVER_DOWN/);
  });

  it('cannot read the fourth UPS of such a server over connections of their own', async () => {
    await start({ maxConnections: 3 });
    const answers: string[] = [];
    for (const ups of ['a', 'b', 'c', 'd']) answers.push(await read(client({ ups })));
    expect(answers.slice(0, 3)).to.deep.equal(['OK', 'OK', 'OK']);
    expect(answers[3]).to.match(/^SERVER_DOWN/);
  });
});

describe('a server that asks for the login of nut_control from another machine', () => {
  let network: Network | undefined;
  let ours: Certificate;

  before(async function () {
    skipFor(this, networkProblem());
    network = new Network();
    ours = await makeCertificate();
  });
  after(() => network?.stop());

  /** Runs the poll in a namespace, at an address that is not loopback. */
  function poll(machine: Machine, tls: 'plain' | 'unverified' | 'pinned') {
    const program = fileURLToPath(new URL('./harvest.js', import.meta.url));
    const [command = '', ...args] = [...machine.prefix, process.execPath, program, machine.address, tls];
    return JSON.parse(execFileSync(command, args, { encoding: 'utf8', input: JSON.stringify(ours) })) as {
      sent: number;
      message: string;
    };
  }

  it('gets it over verified TLS only; elsewhere that is said', () => {
    const machine = network?.machine('harvest');
    if (machine === undefined) throw new Error('no machine');
    for (const tls of ['plain', 'unverified'] as const) {
      const { sent, message } = poll(machine, tls);
      expect(sent, tls).to.equal(0);
      expect(message).to.match(/password of nut_control is not sent.*nut\.tls = "required"/);
    }
    expect(poll(machine, 'pinned').sent).to.equal(1);
  });
});
