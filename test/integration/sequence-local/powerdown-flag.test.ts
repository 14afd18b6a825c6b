import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { needs } from './sandbox.js';

const load = fileURLToPath(new URL('../../../supervisor/config/load/load.js', import.meta.url));
const program = `const { loadText } = await import(process.argv[1]);
const text = '[[ups]]\\nname = "a@b"\\nis_local = true\\n[local_shutdown]\\npowerdown_flag = "' + process.argv[2] + '/flag"\\n';
console.log(loadText(text, process.env).configuration.warnings.filter((one) => one.includes('powerdown_flag')).length);`;

describe('a powerdown flag in a folder that only the view of the unit has read-only', () => {
  before(function () {
    needs(this, 'no namespaces', 'true');
  });
  const warnings = (environment: Readonly<Record<string, string>>): string => {
    const folder = temporaryFolder();
    const script = 'mount -t tmpfs -o ro none "$1" && exec "$2" --input-type=module -e "$3" "$4" "$1"';
    const words = ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, program, load];
    const { stdout } = spawnSync('unshare', words, {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, ...environment },
    });
    return stdout.trim();
  };

  it('is no warning in the unit, which writes it in the view of PID 1', () => {
    expect(warnings({ SYSTEMD_EXEC_PID: '1' })).to.equal('0');
  });

  it('is one elsewhere', () => {
    expect(warnings({ SYSTEMD_EXEC_PID: '' })).to.equal('1');
  });
});
