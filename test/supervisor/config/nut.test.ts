import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownUsers } from '../../../supervisor/config/check/nut.js';
import type { UsersQuery } from '../../../supervisor/config/read/known-users.js';
import { loadFile } from '../../../supervisor/config/load/load.js';
import { configurationFrom, office, problemsOf, refuses, warningsFrom } from './loading.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const tools = 'the NUT tools have no TLS of this kind, which';

describe('transport and TLS', () => {
  refuses([
    {
      it: 'refuse the tools for settings that these do not support',
      file: `${office}[nut]\ntransport = "tools"\ntls = "required"`,
      path: 'nut.transport',
      message: `${tools} nut.tls = "required" asks for; use "network"`,
    },
    {
      it: 'are checked for each UPS',
      file: `${office}transport = "tools"\n[nut]\npin_sha256 = "${'ab'.repeat(32)}"`,
      path: 'ups[office@127.0.0.1:3493].transport',
      message: `${tools} nut.pin_sha256 asks for; use "network"`,
    },
    {
      it: 'refuse a pin while TLS is off',
      file: `${office}[nut]\ntls = "off"\npin_sha256 = "${'ab'.repeat(32)}"`,
      path: 'nut.pin_sha256',
      message: 'has no effect while nut.tls = "off"',
    },
    {
      it: 'refuse a pin that is not a fingerprint',
      file: `${office}[nut]\npin_sha256 = "abcd"`,
      path: 'nut.pin_sha256',
      message:
        'expected a SHA-256 fingerprint of 64 hexadecimal digits (colons allowed), or "", found "abcd"',
    },
  ]);

  it('allow a UPS the network when the tools are only the default', () => {
    const text = `${office}transport = "network"\n[nut]\ntransport = "tools"\ntls = "required"`;
    expect(configurationFrom(text).nut.tls).to.equal('required');
  });

  it('warn of a certificate check with opportunistic TLS', () => {
    const pinned = `${office}[nut]\npin_sha256 = "${'ab'.repeat(32)}"\n`;
    expect(warningsFrom(pinned)).to.deep.equal([
      'nut.tls: is "opportunistic": nut.pin_sha256 applies only to servers that offer TLS; a server that refuses TLS is ' +
        'read in plain text; set "required" to prevent that',
    ]);
    expect(warningsFrom(`${pinned}tls = "required"`)).to.deep.equal([]);
  });

  it('normalise a pin', () => {
    const pin = Array.from({ length: 32 }, () => 'AB').join(':');
    expect(configurationFrom(`${office}[nut]\npin_sha256 = "${pin}"`).nut.pinSha256).to.equal(
      'ab'.repeat(32),
    );
  });
});

describe('control of a UPS', () => {
  const on = `${office}[nut_control]\nenabled = true\npassword = "a secret"\n`;

  refuses([
    {
      it: 'needs authentication',
      file: `${on}[api.auth]\nenabled = false`,
      path: 'nut_control.enabled',
      message:
        'UPS control needs authentication, and api.auth.enabled = false switches it off; remove one of the two',
    },
    {
      it: 'is enabled for all UPSes together',
      file: `${office}[ups.nut_control]\nenabled = true`,
      path: 'ups[office@127.0.0.1:3493].nut_control.enabled',
      message: 'stands only in [nut_control]: it is the one switch for all UPSes',
    },
  ]);

  it('is null while it is disabled', () => {
    const off = on.replace('enabled = true', 'enabled = false');
    expect(configurationFrom(off).ups[0]?.control).to.equal(null);
  });

  it('takes its keys from the UPS, then from [nut_control]', () => {
    const text =
      `${office}[ups.nut_control]\nusername = "own"\nallowed_variables = ["ups.delay.shutdown"]\n` +
      '[nut_control]\nenabled = true\npassword = "a secret"\ntimeout = 3';
    expect(configurationFrom(text).ups[0]?.control).to.deep.equal({
      username: 'own',
      password: 'a secret',
      allowedCommands: ['test.battery.start', 'test.battery.start.quick', 'beeper.toggle', 'beeper.mute'],
      allowedVariables: ['ups.delay.shutdown'],
      timeoutMs: 3000,
    });
  });

  const problemsFrom = (text: string): readonly string[] =>
    problemsOf(text).map(({ path, message }) => `${path}: ${message}`);
  const cutOf = (path: string, name: string, why: string): string =>
    `${path}: "${name}" can take power from a load: it ${why}. Neither the API nor MQTT may do that; remove "${name}" from the ` +
    'list. To cut the output at the end of a shutdown, use [ups_output]';
  const off = 'switches the load off';

  it('refuses a command or variable that can take power from a load, with the reason', () => {
    const text = `${on}allowed_commands = ["Shutdown.Return", "load.off", "beeper.mute", "shutdown.stop", "load.off"]\n`;
    expect(
      problemsFrom(`${text}allowed_variables = ["ups.timer.shutdown", "ups.delay.shutdown"]`),
    ).to.deep.equal([
      cutOf('nut_control.allowed_commands', 'Shutdown.Return', off),
      cutOf('nut_control.allowed_commands', 'load.off', off),
      cutOf(
        'nut_control.allowed_variables',
        'ups.timer.shutdown',
        'starts a countdown, after which the load is switched off',
      ),
    ]);
  });

  it('refuses the same in the list of one UPS', () => {
    const text = on.replace(
      '[nut_control]',
      '[ups.nut_control]\nallowed_commands = ["load.off.delay"]\nallowed_variables = ["outlet.1.switch"]\n[nut_control]',
    );
    const path = 'ups[office@127.0.0.1:3493].nut_control';
    expect(problemsFrom(text)).to.deep.equal([
      cutOf(`${path}.allowed_commands`, 'load.off.delay', off),
      cutOf(`${path}.allowed_variables`, 'outlet.1.switch', 'switches the outlet'),
    ]);
  });

  it('refuses the same while control is disabled', () => {
    expect(problemsFrom(`${office}[nut_control]\nallowed_commands = ["load.off"]`)).to.deep.equal([
      cutOf('nut_control.allowed_commands', 'load.off', off),
    ]);
  });

  it('allows shutdown.stop, which ends a shutdown', () => {
    expect(
      configurationFrom(`${on}allowed_commands = ["shutdown.stop"]`).ups[0]?.control?.allowedCommands,
    ).to.deep.equal(['shutdown.stop']);
  });

  it('warns of a UPS without a password', () => {
    const text = `${office}[nut_control]\nenabled = true`;
    expect(warningsFrom(text)).to.deep.equal([
      'ups[office@127.0.0.1:3493].nut_control.password: missing here and in [nut_control]; ' +
        'a NUT server refuses every command without one',
    ]);
  });
});

describe('control of a UPS while api.auth.enabled is not set', () => {
  const on = `${office}[nut_control]\nenabled = true\npassword = "a secret"\n`;
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
  });

  /** The outcome of a file whose database answers `users`, and the queries. */
  async function judged(text: string, users: KnownUsers) {
    const path = join(directory, 'config.toml');
    writeFileSync(path, text, { mode: 0o600 });
    const queries: UsersQuery[] = [];
    const loaded = await loadFile(path, {}, (query) => {
      queries.push(query);
      return Promise.resolve(users);
    });
    return { loaded, queries };
  }
  const nobody: KnownUsers = { kind: 'none', database: '/x/auth.db' };

  it('is refused while there is no user, with the command that creates one', async () => {
    const { loaded, queries } = await judged(`${on}[api.auth]\ndb_path = "/x/auth.db"`, nobody);
    expect(queries).to.deep.equal([{ database: '/x/auth.db', user: 'ridethrough-api' }]);
    expect(loaded.ok ? [] : loaded.problems).to.deep.equal([
      {
        path: 'nut_control.enabled',
        message:
          'UPS control needs authentication, which is off while there is no user in /x/auth.db; create one with: ' +
          'ridethrough user create NAME (it works with this file as it is), or set nut_control.enabled = false',
      },
    ]);
  });

  it('is refused together with all other problems', async () => {
    const { loaded } = await judged(`${on}[triggers]\nlow_battery_threshold = 101`, nobody);
    expect(loaded.ok ? [] : loaded.problems.map(({ path }) => path)).to.deep.equal([
      'triggers.low_battery_threshold',
      'nut_control.enabled',
    ]);
  });

  it('is allowed when there is a user', async () => {
    expect((await judged(on, { kind: 'some' })).loaded.ok).to.equal(true);
  });

  it('is allowed, with a warning, when the check for users fails', async () => {
    const { loaded } = await judged(on, { kind: 'unknown', why: 'auth.db is damaged' });
    expect(loaded.ok ? loaded.configuration.warnings : []).to.include(
      'nut_control.enabled: the daemon could not read whether a user exists (auth.db is damaged); ' +
        'until it can, authentication counts as on',
    );
  });

  it('queries no database when control is disabled or authentication is set', async () => {
    for (const text of [office, `${on}[api.auth]\nenabled = true`, `${on}[api.auth]\nenabled = false`])
      expect((await judged(text, nobody)).queries).to.deep.equal([]);
  });
});
