// The requirements of every NUT transport: one suite for both transports, with a real and a simulated upsd. The server
// must have one UPS as in `suiteUps`.
import { expect } from 'chai';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { NutCredentials } from '../../../workers/poller/wire/login.js';
import type { TlsSettings } from '../../../workers/poller/wire/tls.js';
import { NutTools } from '../../../workers/poller/session/tools.js';
import type { NutTransport } from '../../../workers/poller/wire/transport.js';
import type { Certificate } from '../../fixtures/certificates.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { until } from '../../fixtures/until.js';

/** The UPS under test: its name and its first readings. All of these are writable. */
export const suiteUps = {
  name: 'ups1',
  variables: {
    'ups.status': 'OL CHRG',
    'battery.charge': '100',
    'ups.load': '23',
    'ups.mfr': 'Acme "Power" \\ Co',
    'ups.id': 'rack 7',
  },
  /** The account that may command and write. */
  login: { username: 'admin', password: 'se cr#t\\"x' },
} as const;

export interface SuiteServer {
  readonly host: string;
  readonly port: number;
  /** The UPS changes one reading, which clients see soon afterwards. */
  change(variable: string, value: string): Promise<void>;
  /** upsd loses the driver: DRIVER-NOT-CONNECTED until it returns. */
  loseDriver(): Promise<void>;
  returnDriver(): Promise<void>;
  /** The driver hangs: DATA-STALE soon afterwards, until it continues. */
  freezeDriver(): Promise<void>;
  thawDriver(): Promise<void>;
  /** The server stops, and starts again on the same port. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  stop(): Promise<void>;
}

type MakeTransport = (server: SuiteServer, ups: string, login: NutCredentials | null) => NutTransport;

/** Long enough for a busy machine; nothing waits for it to pass. */
const patientMs = 20_000;

/** The suite with each transport, and with TLS. `kind`: the words for the server. */
export function nutTransportSuites(
  kind: string,
  startServer: (tls?: Certificate) => Promise<SuiteServer>,
): void {
  const network =
    (tls: () => TlsSettings): MakeTransport =>
    ({ host, port }, ups, login) =>
      new NutClient({ host, port, ups, login, tracks: true, tls: tls(), notice: () => undefined });
  let caPem = '';
  nutTransportSuite(
    `the network transport with a ${kind} upsd`,
    () => startServer(),
    network(() => ({ mode: 'opportunistic', caPem: null, pinSha256: null, client: null })),
  );
  nutTransportSuite(
    `the network transport over TLS with a ${kind} upsd`,
    async () => {
      const certificate = await makeCertificate();
      caPem = certificate.certPem;
      return startServer(certificate);
    },
    network(() => ({ mode: 'required', caPem, pinSha256: null, client: null })),
  );
  nutTransportSuite(
    `the tools transport with a ${kind} upsd`,
    () => startServer(),
    ({ host, port }, ups, login) => new NutTools({ name: `${ups}@${host}:${String(port)}`, login }),
  );
}

function nutTransportSuite(
  name: string,
  startServer: () => Promise<SuiteServer>,
  makeTransport: MakeTransport,
): void {
  describe(name, () => {
    let server: SuiteServer;
    const open: NutTransport[] = [];
    const transport = (
      ups: string = suiteUps.name,
      login: NutCredentials | null = suiteUps.login,
    ): NutTransport => {
      const made = makeTransport(server, ups, login);
      open.push(made);
      return made;
    };
    const detailOf = async (of: NutTransport): Promise<string> => {
      const answer = await of.readVariables(patientMs);
      return answer.ok ? 'OK' : answer.failure.detail;
    };

    before(async () => {
      server = await startServer();
    });
    after(() => server.stop());
    afterEach(() => {
      for (const made of open.splice(0)) made.close();
    });

    it('reads every variable of the UPS, with quotes and backslashes', async () => {
      const answer = await transport().readVariables(patientMs);
      expect(answer).to.have.property('ok', true);
      expect(answer).to.have.property('value').that.includes(suiteUps.variables);
    });

    it('returns a changed reading', async () => {
      const reader = transport();
      await server.change('ups.load', '42');
      await until(async () => {
        const answer = await reader.readVariables(patientMs);
        return answer.ok && answer.value['ups.load'] === '42';
      });
    });

    it('answers several simultaneous calls', async () => {
      const reader = transport();
      const answers = await Promise.all([1, 2, 3].map(() => reader.readVariables(patientMs)));
      expect(answers.map(({ ok }) => ok)).to.deep.equal([true, true, true]);
    });

    it('reports an unknown UPS', async () => {
      expect(await detailOf(transport('nobody'))).to.equal('UNKNOWN_UPS');
    });

    it('lists the instant commands with the descriptions of the server', async () => {
      const answer = await transport().listCommands(patientMs);
      expect(answer.ok && answer.value).to.deep.include({
        name: 'load.off',
        description: 'Turn off the load immediately',
      });
    });

    it('lists the requested variables that are writable, with type and value', async () => {
      const answer = await transport().listWritable(['battery.charge', 'ups.mfr', 'driver.name'], patientMs);
      const listed = answer.ok ? answer.value : [];
      const { 'battery.charge': charge, 'ups.mfr': mfr } = suiteUps.variables;
      expect(listed.map(({ name, value }) => [name, value])).to.have.deep.members([
        ['battery.charge', charge],
        ['ups.mfr', mfr],
      ]);
      expect(listed.find(({ name }) => name === 'ups.mfr')?.type).to.match(/^STRING:\d+$/);
      expect(listed.find(({ name }) => name === 'battery.charge')?.type).to.equal('NUMBER');
    });

    it('writes a variable, and answers when the driver has it', async () => {
      const writer = transport();
      const written = await writer.writeVariable('battery.charge', '71', patientMs);
      expect(written).to.deep.equal({ ok: true, value: 'SUCCESS' });
      await until(async () => {
        const answer = await writer.readVariables(patientMs);
        return answer.ok && answer.value['battery.charge'] === '71';
      });
    });

    for (const [what, variable, code] of [
      ['cannot be written', 'driver.name', 'READONLY'],
      ['does not exist', 'battery.nothing', 'VAR-NOT-SUPPORTED'],
    ] as const) {
      it(`does not write a variable that ${what}`, async () => {
        const answer = await transport().writeVariable(variable, '1', patientMs);
        expect(answer).to.have.nested.property('failure.code', code);
      });
    }

    it('reports a command that the UPS does not have', async () => {
      const answer = await transport().runCommand('test.nothing', null, patientMs);
      expect(answer).to.have.nested.property('failure.code', 'CMD-NOT-SUPPORTED');
    });

    it('is rejected with a wrong password, and still reads', async () => {
      const stranger = transport(suiteUps.name, { ...suiteUps.login, password: 'wrong' });
      const answer = await stranger.writeVariable('ups.id', 'x', patientMs);
      expect(answer).to.have.nested.property('failure.detail', 'ACCESS_DENIED');
      expect(await detailOf(transport(suiteUps.name, null))).to.equal('OK');
    });

    for (const value of ['a\nb', 'a\rb', 'a\0b', 'B\u00fcro', '\ud800', 'x'.repeat(513)]) {
      it(`sends no value like ${JSON.stringify(value.slice(0, 5))} (${String(value.length)} characters)`, async () => {
        const answer = await transport().writeVariable('ups.id', value, patientMs);
        expect(answer)
          .to.have.nested.property('failure.message')
          .that.matches(/^not sent/);
      });
    }

    it('reports a disconnected driver, and reads again once it is connected', async () => {
      const reader = transport();
      await server.loseDriver();
      await until(async () => (await detailOf(reader)) === 'DRIVER_NOT_CONNECTED');
      await server.returnDriver();
      await until(async () => (await detailOf(reader)) === 'OK');
    });

    it('reports stale data, and reads again once they are fresh', async () => {
      const reader = transport();
      await server.freezeDriver();
      await until(async () => (await detailOf(reader)) === 'DATA_STALE');
      await server.thawDriver();
      await until(async () => (await detailOf(reader)) === 'OK');
    });

    it('reports that the server is down, and reads again once it is up', async () => {
      const reader = transport();
      expect(await detailOf(reader)).to.equal('OK');
      await server.stopServer();
      expect(await detailOf(reader)).to.equal('SERVER_DOWN');
      await server.startServer();
      await until(async () => (await detailOf(reader)) === 'OK');
    });

    it('fails every call after it is closed', async () => {
      const reader = transport();
      reader.close();
      expect(await detailOf(reader)).to.equal('SERVER_DOWN');
    });
  });
}
