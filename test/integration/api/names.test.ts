// {name} on every route and command of a running daemon: a UPS of localhost by each form of its name. Needs no NUT
// server: only the resolution of the name is tested.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { addApiKey } from '../../fixtures/auth-database.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { harmless, startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';
import { program } from '../../fixtures/ridethrough.js';

const forms = ['solo', 'solo@localhost', 'solo@LOCALHOST:3493', 'solo-localhost', 'solo-localhost-3493'];

describe('a UPS address in a request', () => {
  let daemon: RunningDaemon;
  let base: string;
  let key: string;

  before(async () => {
    const tables = ['solo', 'twin', 'twin-localhost', 'a+b', 'a/b@localhost'].map(
      (name) => `[[ups]]\nname = "${name}"\n`,
    );
    daemon = await startDaemon({
      toml: `${tables.join('')}[nut_control]\nenabled = true\npassword = "x"\n[api]\nenabled = true\nport = 0\n[api.auth]\ndb_path = "{directory}/lib/auth.db"\n${harmless}`,
      user: 'alice',
    });
    base = `http://127.0.0.1:${String(daemon.apiPort)}/api/v1/ups`;
    key = await addApiKey(join(daemon.directory, 'lib/auth.db'), 'test');
    await until(
      () => daemon.control('status') as Promise<{ ups?: unknown[] }>,
      ({ ups }) => ups?.length === 5,
    );
  });
  after(() => daemon.stop());

  const ran = (...args: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [
      program,
      ...args,
      '--config',
      join(daemon.directory, 'config.toml'),
    ]);
    return { out: stdout.toString(), err: stderr.toString(), status };
  };
  const asked = async (name: string, more = '', method = 'GET', body?: string) => {
    const answer = await fetch(`${base}/${encodeURIComponent(name)}${more}`, {
      method,
      headers: { 'X-API-Key': key },
      ...(body === undefined ? {} : { body }),
    });
    const { name: row, ups } = (await answer.json()) as { name?: string; ups?: string };
    return { status: answer.status, meant: row ?? ups };
  };

  for (const form of forms)
    it(`accepts ${form} on every route`, async () => {
      for (const more of ['', '/readings', '/explain', '/shutdown-plan', '/history', '/battery-health'])
        expect(await asked(form, more), more).to.deep.equal({ status: 200, meant: 'solo' });
      expect(await asked(form, '/events', 'DELETE', '{"items":[]}')).to.deep.equal({
        status: 200,
        meant: 'solo',
      });
      // Known: the error comes from the allowlist or the NUT server.
      expect((await asked(form, '/command', 'POST', '{"command":"x.y"}')).status).to.equal(403);
      expect((await asked(form, '/variables/x.y', 'PUT', '{"value":"1"}')).status).to.equal(403);
      expect((await asked(form, '/commands')).status).to.equal(502);
    });

  for (const form of forms)
    it(`accepts ${form} on the command line`, () => {
      expect(ran('explain', form).out).to.match(/^solo: /);
      const plan = ran('plan', form, '--json');
      expect(JSON.parse(plan.out)).to.have.nested.property('plans[0].group', 'solo');
      expect(plan.status).to.equal(0);
      expect(ran('events', '--ups', form, '--verbosity', '2').err).to.equal('');
    });

  it('resolves to the configured name or groupId before the alias of another UPS', async () => {
    expect(await asked('twin-localhost')).to.deep.equal({ status: 200, meant: 'twin-localhost' });
    expect(await asked('twin@localhost')).to.deep.equal({ status: 200, meant: 'twin' });
    expect(await asked('a-b-localhost')).to.deep.equal({ status: 200, meant: 'a/b@localhost' });
    expect(await asked('a-b')).to.deep.equal({ status: 200, meant: 'a+b' });
    expect(ran('explain', 'twin-localhost').out).to.match(/^twin-localhost: /);
  });

  it('resolves to nothing when two UPSes share it as an alias, on every route', async () => {
    const shared = 'a-b-localhost-3493';
    for (const more of ['', '/readings', '/explain', '/shutdown-plan', '/history', '/commands'])
      expect((await asked(shared, more)).status, more).to.equal(404);
    expect((await asked(shared, '/events', 'DELETE', '{"items":[]}')).status).to.equal(404);
    expect((await asked(shared, '/command', 'POST', '{"command":"x.y"}')).status).to.equal(404);
    expect(ran('explain', shared)).to.include({ out: '', status: 1 });
    expect(ran('plan', shared)).to.include({ out: '', status: 1 });
    expect(ran('shutdown', 'group', '--group', shared).err).to.contain('there is no group');
  });
});
