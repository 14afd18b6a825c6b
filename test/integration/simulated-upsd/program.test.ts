import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { makeCertificate } from '../../fixtures/certificates.js';
import { RawClient } from '../../fixtures/raw-client.js';
import { until } from '../../fixtures/until.js';

const program = fileURLToPath(new URL('../../../scripts/simulated-upsd/main.js', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

describe('the simulated upsd as a program', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  function start(...args: readonly string[]): Running {
    const started = spawn(process.execPath, [program, ...args]);
    child = started;
    let said = '';
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(started, 'close').then(([code]) => code as number | null);
    return { child: started, said: () => said, ended };
  }

  async function client({ said }: Running): Promise<RawClient> {
    const line = await until(said, (text) => text.includes('\n'));
    return RawClient.connect(Number(/^listening on 127\.0\.0\.1:(\d+)\n/.exec(line)?.[1]));
  }

  it('prints its address, answers there, and exits when told to', async () => {
    const running = start('--ups', 'rack');
    const asker = await client(running);
    expect(await asker.ask('GET VAR rack ups.status')).to.equal('VAR rack ups.status "OL"\n');
    running.child.kill('SIGTERM');
    expect(await running.ended).to.equal(0);
    await asker.untilClosed();
  });

  it('plays the scenarios named on standard input, and prints what happens', async () => {
    const running = start('--speed', '1000');
    const asker = await client(running);
    running.child.stdin?.write('outage\nsunshine\n');
    await until(running.said, (text) => text.includes('now: the power returns'));
    expect(running.said()).to.match(
      /Outage: .*\n.*: the power fails\n.*: the power returns\nthere is no scenario "sunshine"; there are mains, outage/,
    );
    expect(await asker.ask('GET VAR simulated ups.status')).to.contain('CHRG');
    asker.close();
  });

  it('has the behaviours that it is given', async () => {
    const asker = await client(start('--behaviour', 'ol-ob,gauge-25,late'));
    const startMs = performance.now();
    expect(await asker.ask('GET VAR simulated ups.status')).to.equal('VAR simulated ups.status "OL OB"\n');
    // 35 bytes at 1000 a second, of which a timer sends some at once.
    expect(performance.now() - startMs).to.be.above(10);
    asker.close();
  });

  it('supports users, and TLS with a given certificate', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'simulated-upsd-'));
    try {
      const { certPem, keyPem } = await makeCertificate();
      const file = join(directory, 'both.pem');
      writeFileSync(file, keyPem + certPem, { mode: 0o600 });
      const secure = await client(start('--certificate', file));
      await secure.ask('STARTTLS');
      await secure.upgrade(certPem);
      expect(
        await secure.askAll('USERNAME admin', 'PASSWORD simulated', 'INSTCMD simulated beeper.mute'),
      ).to.deep.equal(['OK\n', 'OK\n', 'OK\n']);
      secure.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  for (const [args, message] of [
    [['--scenario', 'sunshine'], /there is no scenario "sunshine"; there are mains, outage/],
    [['--behaviour', 'held,odd'], /there is no behaviour "odd"; there are gauge-5, gauge-10/],
    [['--speed', '0'], /--speed expects a number from 1 to 1000, not 0/],
    [['--port', 'x'], /--port expects a number from 0 to 65535, not x/],
    [['--host', '0.0.0.0'], /listens on loopback only, not on 0\.0\.0\.0/],
    [['--frob'], /Unknown option '--frob'/],
  ] as const)
    it(`rejects ${args.join(' ')}`, async () => {
      const { ended, said } = start(...args);
      expect(await ended).to.equal(2);
      expect(said()).to.match(message);
    });
});
