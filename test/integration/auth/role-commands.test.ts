// Roles and ends of users and keys on the command line: `--role`, `--expires`, `user role`.
import { expect } from 'chai';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dispatched } from '../../fixtures/dispatched-command.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { matches, until } from '../../fixtures/until.js';

describe('the commands ridethrough user and apikey, with roles', () => {
  let folder: string;
  let configuration: string;
  beforeEach(() => {
    folder = temporaryFolder();
    configuration = join(folder, 'config.toml');
    const text = `[[ups]]\nname = "office@127.0.0.1:1"\n[api.auth]\ndb_path = "${folder}/auth.db"\n`;
    writeFileSync(configuration, text, { mode: 0o600 });
  });
  const run = (command: string, how = ridethrough): Promise<Ran> =>
    how([...command.split(' '), '--config', configuration], '');

  it('give a user and a key a role, and a key an end', async () => {
    expect((await run('user create viewer --role read --generate')).err).to.match(
      /^The user viewer can log in and read\. /,
    );
    const role = async () =>
      (JSON.parse((await run('user show viewer --json')).out) as { role: string }).role;
    expect(await role()).to.equal('read');
    expect((await run('user role viewer control')).out).to.contain('The role of viewer is control now');
    expect(await role()).to.equal('control');
    expect((await run('user role nobody read')).code).to.equal(1);
    const made = await run('apikey create prometheus --role metrics --expires 90d');
    expect(made.err).to.match(/^The key prometheus \(metrics until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\), /);
    await run('apikey create wall --role read --expires 1s --json');
    await run('apikey create grafana');
    const { keys } = JSON.parse((await run('apikey list --json')).out) as {
      keys: { label: string; role: string; createdAt: number; expiresAt: number | null; usedAt: null }[];
    };
    expect(
      keys.map(({ label, role: held, createdAt, expiresAt, usedAt }) => [
        label,
        held,
        expiresAt === null ? null : Math.round((expiresAt - createdAt) / 86_400),
        usedAt,
      ]),
    ).to.deep.equal([
      ['grafana', 'control', null, null],
      ['prometheus', 'metrics', 90, null],
      ['wall', 'read', 0, null],
    ]);
    await until(
      async () => (await run('apikey list')).out,
      matches(/^LABEL +ROLE +CREATED +EXPIRES +LAST USED\n[^]*wall .*\(expired\) +never\n$/),
    );
  });

  const refusals: readonly string[] = [
    'apikey create a --role root',
    'apikey create a --expires 0d',
    'apikey create a --expires 2020-01-31',
    'apikey create a --expires soon',
    'apikey create a --expires 999999999d',
    'user create alice --role metrics --generate',
    'user role alice',
    'user role alice admin',
    'user passwd alice --role read --generate',
  ];
  for (const command of refusals)
    it(`exit with 2 for ${command}`, async () => {
      const answer = await run(command, dispatched);
      expect(answer.code, answer.err).to.equal(2);
      expect(answer.err).to.match(/^ridethrough (user|apikey)/);
      expect(existsSync(join(folder, 'auth.db'))).to.equal(false);
    });
});
