// Commands whose reader of the configuration gives no answer: the file may be valid, so they answer that they can be run again.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { program, ran } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('a command whose reader of the configuration dies', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'config.toml');
  const preload = join(folder, 'preload.cjs');
  writeFileSync(path, '[[ups]]\nname = "office@127.0.0.1:3493"\n');
  writeFileSync(
    preload,
    "if (/reader\\.js$/.test(process.argv[1] ?? '')) process.kill(process.pid, 'SIGKILL');\n",
  );

  for (const words of ['validate', 'plan', 'remote list', 'status', 'user list', 'apikey list'])
    it(`ends with 75: ${words}`, async () => {
      const node = ['env', `NODE_OPTIONS=--require=${preload}`, process.execPath, program];
      const [file = '', ...args] = [...node, ...words.split(' '), '--config', path];
      const { code, out, err } = await ran(file, args);
      expect(err, out).to.include('ended without an answer');
      expect(code).to.equal(75);
    });
});
