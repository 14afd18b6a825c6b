import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { loadText } from '../../supervisor/config/load/load.js';

const shipped = readFileSync(new URL('../../../systemd/config.toml', import.meta.url), 'utf8');

describe('the configuration that the package ships', () => {
  it('is valid without a warning, and is a dry run', () => {
    const loaded = loadText(shipped, {});
    if (!loaded.ok) expect.fail(JSON.stringify(loaded.problems));
    expect(loaded.configuration.dryRun).to.equal(true);
    expect(loaded.configuration.warnings).to.deep.equal([]);
    expect(loaded.configuration.api.enabled).to.equal(false);
  });

  it('is armed by the one change that it describes', () => {
    const loaded = loadText(shipped.replace('dry_run = true', 'dry_run = false'), {});
    if (!loaded.ok) expect.fail(JSON.stringify(loaded.problems));
    expect(loaded.configuration).to.include({ dryRun: false });
    expect(loaded.configuration.localShutdown.enabled).to.equal(true);
  });

  it('stays valid with every example enabled', () => {
    const example = /^# (\[.*\]|[a-z_]+ = .*)$/gm;
    const loaded = loadText(shipped.replace(example, '$1'), {});
    if (!loaded.ok) expect.fail(JSON.stringify(loaded.problems));
    expect(loaded.configuration.api.enabled).to.equal(true);
  });
});
