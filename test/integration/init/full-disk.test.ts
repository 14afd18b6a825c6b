import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { program } from '../../fixtures/ridethrough.js';

describe('a command whose output finds no space', () => {
  it('fails, and says why', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(
      process.execPath,
      [program, 'init', '--ups', 'office@127.0.0.1:1', '--output', '-'],
      { stdio: ['ignore', full, 'pipe'], encoding: 'utf8', timeout: 60_000 },
    );
    closeSync(full);
    expect(stderr).to.match(/^ridethrough: the output could not be written: ENOSPC/m);
    expect(status).to.equal(1);
  });
});
