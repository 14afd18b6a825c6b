import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoConfiguration, refusalOf } from '../../../scripts/commands/demo/configuration.js';
import { readConfiguration } from '../../../supervisor/config/load/read.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('the configuration check of the demo', () => {
  let directory: string;
  beforeEach(() => (directory = temporaryFolder()));

  const written = (change: (text: string) => string = (text) => text): string => {
    const file = join(directory, 'config.toml');
    writeFileSync(file, change(demoConfiguration({ directory, upsdPort: 1234, apiPort: 9191, speed: 20 })));
    return file;
  };

  it('accepts a valid dry run, without a warning', async () => {
    const path = written();
    expect(await refusalOf(path)).to.equal(undefined);
    const loaded = await readConfiguration(path);
    expect(loaded.ok ? loaded.configuration.warnings : loaded.problems).to.deep.equal([]);
  });

  it('rejects a configuration that is not a dry run', async () => {
    const armed = written((text) => text.replace('dry_run = true', 'dry_run = false'));
    expect(await refusalOf(armed)).to.match(/config\.toml was changed and is not a dry run/);
    const silent = written((text) => text.replace('dry_run = true', ''));
    expect(await refusalOf(silent)).to.match(/config\.toml was changed and is not a dry run/);
  });

  it('rejects an invalid configuration and lists its problems', async () => {
    const broken = written((text) => text.replace('is_local', 'is_lokal'));
    expect(await refusalOf(broken)).to.match(/not valid:\n.*is_lokal/);
  });

  it('finds no power-off command in the default file', () => {
    const text = demoConfiguration({ directory, upsdPort: 1, apiPort: 2, speed: 1 });
    expect(text)
      .to.match(/^command = \["printf", /m)
      .and.not.match(/shutdown -h|poweroff|fallback_command/);
  });
});
