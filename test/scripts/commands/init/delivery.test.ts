import { expect } from 'chai';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Draft } from '../../../../scripts/commands/init/delivery.js';
import { deliver, refusalToWrite } from '../../../../scripts/commands/init/delivery.js';
import { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

describe('a configuration that cannot be written over another', () => {
  it('leaves the secrets of the other as they were', async () => {
    const folder = temporaryFolder();
    const secret = join(folder, 'nut.secret');
    writeFileSync(secret, 'in use', { mode: 0o600 });
    writeFileSync(join(folder, 'config.toml'), 'in use');
    const draft: Draft = {
      unread: [],
      secrets: [{ name: 'nut.secret', text: 'new', of: 'the password' }],
      // As for a disk without space: after the secrets and before the configuration.
      compose: () => {
        throw new Error('ENOSPC: no space left on device, write');
      },
    };
    const delivered = await deliver(draft, join(folder, 'config.toml'), true);
    expect(delivered).to.include({ ok: false, message: 'ENOSPC: no space left on device, write' });
    expect(readdirSync(folder).toSorted()).to.deep.equal(['config.toml', 'nut.secret']);
    expect(readFileSync(secret, 'utf8')).to.equal('in use');
  });
});

describe('a written configuration', () => {
  it('replaces no file unless that is asked for', async () => {
    const path = join(temporaryFolder(), 'config.toml');
    expect(await refusalToWrite(path, false)).to.equal(null);
    writeFileSync(path, 'in use');
    expect(await refusalToWrite(path, false)).to.contain('exists and is left as it is');
    expect(await refusalToWrite(path, true)).to.equal(null);
    expect(await refusalToWrite(temporaryFolder(), true)).to.contain('is a directory');
  });

  it('is read by its owner and group, and its secrets by nobody else, under any umask', async () => {
    const umask = process.umask(0);
    after(() => process.umask(umask));
    const folder = temporaryFolder();
    const draft: Draft = {
      unread: [],
      secrets: [{ name: 'nut.secret', text: 'secret', of: 'the password' }],
      compose: () => {
        const table = new DraftTable();
        table.row('ups').set('name', 'office@localhost');
        return table;
      },
    };
    expect(await deliver(draft, join(folder, 'config.toml'), false)).to.include({ ok: true });
    const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
    expect([modeOf('config.toml'), modeOf('nut.secret')]).to.deep.equal(['640', '600']);
  });
});
