import { expect } from 'chai';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Draft } from '../../../../scripts/commands/init/delivery.js';
import { deliver } from '../../../../scripts/commands/init/delivery.js';
import { temporaryFolder } from '../../../fixtures/temporary-folder.js';

describe('a configuration that cannot be written over another', () => {
  it('leaves the secrets of the other as they were', async () => {
    const folder = temporaryFolder();
    const secret = join(folder, 'nut.secret');
    writeFileSync(secret, 'in use', { mode: 0o600 });
    writeFileSync(join(folder, 'config.toml'), 'in use');
    const draft: Draft = {
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
