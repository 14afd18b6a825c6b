import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { descendants, isAlive } from '../../fixtures/processes.js';
import { includes, isEmpty, matches, until } from '../../fixtures/until.js';
import { program } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

/** Plays a minute of the demo in 12 s, with an outage of 10 s. */
const speed = '100';

describe('the demo', () => {
  let temporary: string;
  let child: ChildProcess;
  let said: string;
  let ended: Promise<number | null>;
  let family: number[];

  beforeEach(() => {
    temporary = temporaryFolder();
    said = '';
    family = [];
  });

  afterEach(async () => {
    child.kill('SIGKILL');
    await until(() => family.filter(isAlive), isEmpty);
  });

  function start(...args: readonly string[]): void {
    const started = spawn(process.execPath, [program, 'demo', '--port', '0', ...args], {
      env: { ...process.env, TMPDIR: temporary },
    });
    child = started;
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    // Not 'close': a child of a killed demo keeps the output open for a moment.
    ended = once(started, 'exit').then(([code]) => code as number | null);
  }

  const untilSaid = (text: string): Promise<string> => until(() => said, includes(text));

  /** Waits until it is ready, and records its processes. */
  async function up(): Promise<void> {
    // Looks often: one pass of a short scenario takes less than a second.
    await until(() => said, includes('nothing on this machine is ever shut down'), undefined, 5);
    family = descendants(child.pid ?? 0).map(({ pid }) => pid);
  }

  async function untilApi(path: string, pattern: RegExp): Promise<void> {
    await until(
      async () => (await fetch(`${/Look at it +(\S+)\//.exec(said)?.[1] ?? ''}/api/v1/${path}`)).text(),
      matches(pattern),
    );
  }

  function expectNothingLeft(): void {
    expect(family).to.have.length.greaterThan(3);
    expect(family.filter(isAlive)).to.deep.equal([]);
    expect(readdirSync(temporary)).to.deep.equal([]);
  }

  it('plays an outage, the plan as a dry run and the return of power, and leaves nothing behind', async () => {
    start('--speed', speed);
    await up();
    await untilApi('ups', /"status":"OB DISCHRG"/);
    await untilApi('sequence', /"dryRun":true,"steps":\[(\{[^}]*"state":"done"[^}]*\},?)+\]/);
    await untilApi('ups', /"status":"OL CHRG/);
    await untilSaid('dry run: would power off this host with: printf');
    child.kill('SIGINT');
    expect(await ended).to.equal(0);
    expectNothingLeft();
  });

  it('plays another scenario when the user types its name', async () => {
    start('--speed', speed, '--scenario', 'mains');
    await up();
    child.stdin?.write('sunshine\nbrownout\n');
    await untilApi('ups', /"status":"OL BOOST"/);
    expect(said).to.match(/There is no scenario "sunshine"\. Type mains, outage/);
    expect(said).to.contain('UPS | Brownout: The line sags');
    child.kill('SIGTERM');
    expect(await ended).to.equal(0);
    expectNothingLeft();
  });

  it('exits after one pass on request', async () => {
    start('--speed', '1000', '--scenario', 'self-test', '--once');
    await up();
    expect(await ended).to.equal(0);
    await untilSaid('UPS | now: the UPS starts a deep battery test');
    expectNothingLeft();
  });

  it('exits when its daemon dies', async () => {
    start();
    await up();
    const daemon = descendants(child.pid ?? 0).find(({ command }) => / run --config /.test(command));
    process.kill(daemon?.pid ?? 0, 'SIGKILL');
    expect(await ended).to.equal(1);
    // Its workers end by themselves.
    await until(() => family.filter(isAlive), isEmpty);
    expectNothingLeft();
  });

  it('stops its processes when it is killed', async () => {
    start();
    await up();
    child.kill('SIGKILL');
    await until(() => family.filter(isAlive), isEmpty);
  });

  it('reports a port that is taken, and starts nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    start('--port', String(port));
    expect(await ended).to.equal(1);
    await untilSaid(`Port ${String(port)} of 127.0.0.1 is in use`);
    await untilSaid(`ridethrough demo --port ${String(port + 1)}`);
    expect(readdirSync(temporary)).to.deep.equal([]);
    other.close();
  });

  for (const [args, message] of [
    [['--scenario', 'sunshine'], /there is no scenario "sunshine"; there are mains, outage/],
    [['--port', '65536'], /--port expects a number from 0 to 65535, not "65536"/],
    [['--speed', '1e3'], /--speed expects a number from 1 to 1000, not "1e3"/],
    [['--config', 'x'], /Unknown option '--config'/],
  ] as const)
    it(`rejects ${args.join(' ')}`, async () => {
      start(...args);
      expect(await ended).to.equal(2);
      await until(() => said, matches(message));
    });
});
