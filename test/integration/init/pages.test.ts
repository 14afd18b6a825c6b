// docs/coming-from-upsmon.md and docs/coming-from-others.md: the files of the pages, and every console block.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

for (const name of ['coming-from-upsmon.md', 'coming-from-others.md'])
  describe(`docs/${name}`, () => {
    it('prints what the page shows', () => {
      const page = readFileSync(`docs/${name}`, 'utf8');
      const folder = temporaryFolder();
      // The paths of the page are below a folder of the test.
      const here = (text: string): string =>
        text.replaceAll(
          /(?<![\w.])\/(?:etc|usr)\/(?=nut|ups-monitor|apcupsd|pwrstatd|local)/g,
          (path) => `${folder}${path}`,
        );
      for (const [, , text = ''] of page.matchAll(/```(\w*)\n((?:#!.*\n)?# \/[\s\S]*?)```/g)) {
        const path = join(folder, /^# (\/\S+)$/m.exec(text)?.[1] ?? '');
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, here(text), { mode: 0o755 });
      }
      const script = `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`;
      writeFileSync(join(folder, 'ridethrough'), script, { mode: 0o755 });
      const commands = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
        block.split(/^\$ /m).slice(1),
      );
      expect(commands).to.have.length.at.least(2);
      for (const block of commands) {
        const [command = '', ...lines] = block.trimEnd().split('\n');
        const { status, stdout, stderr } = spawnSync('sh', ['-c', `${here(command)} $FORCE`], {
          encoding: 'utf8',
          cwd: folder,
          timeout: 60_000,
          env: {
            PATH: `${folder}:${process.env['PATH'] ?? ''}:/usr/bin:/bin`,
            HOME: folder,
            FORCE: command.startsWith('ridethrough init') ? '--force' : '',
          },
        });
        expect(status, `${command}\n${stderr}`).to.equal(0);
        for (const line of lines) expect(stdout.split('\n'), command).to.include(here(line));
        expect(stdout + stderr).not.to.contain('password = "');
      }
    });
  });
