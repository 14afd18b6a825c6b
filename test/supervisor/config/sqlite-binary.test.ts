import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sqliteWarnings } from '../../../supervisor/config/programs/sqlite-binary.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('the binary of sqlite3', () => {
  it('is there in this tree', () => {
    expect(sqliteWarnings()).to.deep.equal([]);
  });

  it('causes a warning when it is missing, with the command that makes it', () => {
    const folder = temporaryFolder();
    const from = pathToFileURL(join(folder, 'dist/reader.js')).href;
    expect(sqliteWarnings(from)[0]).to.contain('the npm package sqlite3 is not installed');
    mkdirSync(join(folder, 'node_modules/sqlite3'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/sqlite3/package.json'), '{}');
    expect(sqliteWarnings(from)).to.have.length(1);
    expect(sqliteWarnings(from)[0]).to.contain(`cd ${folder} && npm rebuild sqlite3`);
  });
});
