// docs/getting-started.md: every console block of the page, on a real upsd with the UPS of the page, in its order.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RealUpsd } from '../../fixtures/real-upsd.js';
import { program } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const page = readFileSync('docs/getting-started.md', 'utf8');
const device = /office\.dev <<'END'\n([\s\S]*?)END\n/.exec(page)?.[1] ?? '';

describe('docs/getting-started.md', () => {
  it('prints in every block what the page shows, from the first command to the end of the outage', async () => {
    const folder = temporaryFolder();
    const upsd = await RealUpsd.start({ ups: { office: device } });
    let daemon: RunningDaemon | undefined;
    const here = (text: string): string =>
      text
        .replaceAll('office@localhost', `office@127.0.0.1:${String(upsd.port)}`)
        .replaceAll('Basement', 'A office')
        .replaceAll('/etc/nut/', `${upsd.directory}/etc/`);
    try {
      mkdirSync(join(folder, 'bin'));
      const script = `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`;
      writeFileSync(join(folder, 'bin', 'ridethrough'), script, { mode: 0o755 });
      let minutes = 0;
      for (const [command = '', ...lines] of blocks()) {
        if (command.startsWith('ridethrough explain')) daemon ??= await started(folder);
        const { status, stdout, stderr } = spawnSync('sh', ['-c', here(command)], {
          encoding: 'utf8',
          cwd: folder,
          timeout: 60_000,
          env: {
            ...process.env,
            PATH: `${folder}/bin:${process.env['PATH'] ?? ''}:/usr/bin:/bin`,
            HOME: folder,
          },
        });
        expect(status, `${command}\n${stderr}`).to.equal(0);
        if (process.env['SHOW'] !== undefined) console.log(`$ ${command}\n${stdout}${stderr}`);
        const shown = timeless(stdout + stderr).split('\n');
        for (const line of lines) expect(shown, command).to.include(timeless(here(line)));
        if (!command.startsWith('sed')) continue;
        // The driver compares times of the file in seconds.
        const stamp = Date.now() / 1000 + (minutes += 60);
        utimesSync(join(upsd.directory, 'etc/office.dev'), stamp, stamp);
        await daemon?.logged(minutes > 60 ? /POWER_RESTORED/ : /SHUTDOWN_SEQUENCE_COMPLETE/);
      }
      expect(minutes).to.equal(120);
      expect(daemon?.powerOffs()).to.deep.equal([]);
    } finally {
      await daemon?.stop();
      await upsd.stop();
    }
  });
});

/** The command and the lines that the page shows of its output. */
function blocks(): readonly (readonly string[])[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
    .map((block) =>
      block
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '...'),
    );
}

const timeless = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\b\d+ s ago/g, '0 s ago')
    .trimEnd();

/** With the file that `init` has written: in a folder of its own, and without the half minute that an outage must last. */
function started(folder: string): Promise<RunningDaemon> {
  const toml = readFileSync(join(folder, 'config.toml'), 'utf8')
    .replace('"shutdown -h now"', '["{shutdown}"]')
    .replace('[triggers]\n', '[triggers]\non_battery_stabilization_delay = 0\n')
    .replace('[api]\n', '[api]\nport = 0\n');
  const own = `\n[supervisor]\nruntime_directory = "{directory}/run"\n[statistics]\ndb_directory = "{directory}/lib"\n`;
  return startDaemon({ toml: toml + own, directory: folder });
}
