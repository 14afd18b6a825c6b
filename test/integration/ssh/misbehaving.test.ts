import { expect } from 'chai';
import { join } from 'node:path';
import type { RemoteWork } from '../../../shared/domain/actions/remote-work.js';
import type { RemoteTarget, TargetOutcome } from '../../../shared/protocol/remote.js';
import type { LoginMisbehaviour, MisbehavingSshd, RawMisbehaviour } from '../../fixtures/misbehaving-sshd.js';
import { startLogin, startRaw } from '../../fixtures/misbehaving-sshd.js';
import { heldPort } from '../../fixtures/held-port.js';
import { inTime } from '../../fixtures/in-time.js';
import { memoryOf } from '../../fixtures/processes.js';
import { ed25519Key } from '../../fixtures/ssh-key.js';
import { notWatched } from '../../fixtures/off-check.js';
import { commandAction, createTargets, workOn } from './remote-parts.js';
import { RemoteProcess } from './remote-process.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const clientKey = ed25519Key();

describe('a misbehaving SSH server', () => {
  let folder: string;
  const servers: MisbehavingSshd[] = [];
  // For each test: a later server may get the port of an earlier one, and has another host key.
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => servers.splice(0).forEach((server) => server.stop()));

  /** Short, for servers that use it up. */
  const hastyMs = 700;
  /** The deadline must not end what is judged by its answer. */
  const patientMs = 15_000;
  /** For all steps together: no server here uses it up. */
  const budgetMs = 60_000;
  const access = (port: number, connectTimeoutMs = patientMs): RemoteTarget => ({
    server: 'nas',
    host: '127.0.0.1',
    port,
    user: 'root',
    privateKey: clientKey,
    keyTrouble: null,
    knownHostsFile: join(folder, 'known_hosts'),
    hostKeyPolicy: 'accept-new',
    connectTimeoutMs,
    offCheck: notWatched,
  });
  const shutDown = async (
    port: number,
    work: Partial<RemoteWork> = {},
    connectTimeoutMs?: number,
  ): Promise<TargetOutcome> => {
    const { targets } = createTargets([access(port, connectTimeoutMs)]);
    return targets.shutDown(workOn(work), budgetMs);
  };
  /** The final command's time, for servers that use it up. */
  const short = { commandTimeoutSeconds: 1 };
  const raw = async (kind: RawMisbehaviour, connectTimeoutMs: number) => {
    const server = await startRaw(kind);
    servers.push(server);
    return inTime(2_500, shutDown(server.port, {}, connectTimeoutMs));
  };
  const login = async (kind: LoginMisbehaviour, work: Partial<RemoteWork> = {}, withinMs = 4_500) => {
    const server = await startLogin(kind);
    servers.push(server);
    const connectTimeoutMs = kind === 'hangs at login' || kind === 'asks without end' ? hastyMs : patientMs;
    const outcome = await inTime(withinMs, shutDown(server.port, work, connectTimeoutMs));
    return { ...outcome, commands: server.commands.filter((text) => !text.includes('ridethrough-')) };
  };

  it('that refuses the connection is unreachable, with a hint for the operator', async () => {
    const port = await heldPort();
    const { result, detail, delivered } = await shutDown(port);
    expect(detail).to.equal(
      `connect: connection refused by 127.0.0.1:${String(port)}: check that sshd runs there`,
    );
    expect({ result, delivered }).to.deep.equal({ result: 'unreachable', delivered: false });
  });

  const beforeLogin: readonly (readonly [RawMisbehaviour, TargetOutcome['result'], RegExp])[] = [
    ['silent', 'timeout', /accepted the connection and sent nothing .* within [\d.]+ s/],
    ['hangs in key exchange', 'timeout', /did not finish the key exchange within [\d.]+ s/],
    ['hangs up', 'unreachable', /closed the connection before the login: too many logins at the same time/],
    ['half a packet', 'failed', /does not speak compatible SSH/],
    ['endless greeting', 'failed', /./],
    ['endless line', 'failed', /./],
    ['noise', 'failed', /./],
    ['claims success', 'failed', /./],
  ];
  for (const [kind, result, detail] of beforeLogin) {
    it(`that does this before the login: ${kind}, is given up in time: ${result}`, async () => {
      const outcome = await raw(kind, result === 'timeout' ? hastyMs : patientMs);
      expect(outcome.detail).to.match(detail);
      expect(outcome).to.include({ result, delivered: false });
    });
  }

  it('that never decides about the login is given up in time', async () => {
    const outcome = await login('hangs at login');
    expect(outcome).to.include({ result: 'timeout', delivered: false });
    expect(outcome.detail).to.contain('did not decide about the login');
  });

  it('that rejects the login fails, and the error names the key to add', async () => {
    const outcome = await login('refuses login');
    expect(outcome).to.include({ result: 'failed', delivered: false });
    expect(outcome.detail).to.match(/refused the login of root: its authorized_keys lacks the daemon's key/);
  });

  it('that hangs after the login costs the final command its own time and no more', async () => {
    const outcome = await login('hangs after login', short);
    expect(outcome).to.include({ result: 'timeout', delivered: false });
    expect(outcome.detail).to.contain('not begun by the server after 1 s');
  });

  it('that takes no command gets one more connection and then fails', async () => {
    for (const kind of ['refuses channels', 'refuses commands'] as const) {
      const outcome = await login(kind, { commandTimeoutSeconds: 4 }, 10_500);
      expect(outcome).to.include({ result: 'failed', delivered: false, maybeSent: false });
      expect(outcome.detail).to.contain('the server refused to run it');
    }
  });

  it('that takes the final command without a word may have run it', async () => {
    const outcome = await login('confirms nothing', short);
    expect(outcome).to.include({ result: 'timeout', delivered: false, sent: false, maybeSent: true });
    expect(outcome.commands).to.deep.equal(['shutdown -h now']);
  });

  it('whose final command never returns times out after the limit of that command', async () => {
    const outcome = await login('sleeps', short, 1_800);
    expect(outcome).to.include({ result: 'timeout', delivered: false });
    expect(outcome.detail).to.contain('still running after 1 s');
    expect(outcome.commands).to.deep.equal(['shutdown -h now']);
  });

  it('that freezes in the final command costs that command its own time and no more', async () => {
    const outcome = await login('freezes', short, 2_500);
    expect(outcome).to.include({ result: 'timeout', delivered: false });
    expect(outcome.commands).to.deep.equal(['shutdown -h now']);
  });

  for (const kind of ['drops the command', 'ends by signal', 'gives no status'] as const) {
    it(`that ${kind} of the shutdown counts as delivered`, async () => {
      const outcome = await login(kind);
      expect(outcome).to.include({ result: 'ok', delivered: true });
      expect(outcome.commands).to.deep.equal(['shutdown -h now']);
    });
  }

  it('that drops a connection before the final command was sent does not count as delivered', async () => {
    const outcome = await login('drops after login');
    expect(outcome).to.include({ delivered: false });
    expect(outcome.result).to.not.equal('ok');
    expect(outcome.commands).to.deep.equal([]);
  });

  it('that drops every connection during the actions still gets the final command on the next', async () => {
    const outcome = await login('drops the command', { actions: [commandAction('first')] });
    expect(outcome).to.include({ result: 'failed', delivered: true });
    expect(outcome.commands).to.deep.equal(['first', 'shutdown -h now']);
    expect(outcome.steps.map(({ what }) => what)).to.deep.equal([
      'connect',
      'command first',
      'connect again',
      'final command',
    ]);
  });

  for (const kind of ['floods', 'floods errors'] as const) {
    it(`that ${kind} is read at a bounded rate, and only the end is kept`, async () => {
      const server = await startLogin(kind);
      servers.push(server);
      // In a separate process: this one is the flooding server.
      const worker = await RemoteProcess.start({ servers: [access(server.port)] });
      try {
        const work = workOn({ commandTimeoutSeconds: 2 });
        const outcome = await worker.request<TargetOutcome>('target.shutdown', {
          run: 1,
          work,
          budgetMs: 6_000,
        });
        expect(outcome.result).to.equal('timeout');
        expect(outcome.detail.length).to.be.below(1_024);
        expect(memoryOf(worker.pid).privateMb).to.be.below(150);
      } finally {
        worker.stop();
      }
    });
  }

  it('that exchanges keys endlessly still gets its command, or is given up in time', async () => {
    const outcome = await login('asks without end', short);
    expect(outcome.result).to.be.oneOf(['ok', 'timeout', 'failed']);
  });
});
