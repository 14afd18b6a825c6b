// What clients can do to a UPS and read of it: a daemon, a NUT server that offers every dangerous name, and all
// answers.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { VariableKind } from '../../../scripts/simulated-upsd/variable-kinds.js';
import type { ReadingsBody } from '../../../shared/http/bodies.js';
import type { VariablesBody } from '../../../shared/http/device-bodies.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { addApiKey } from '../../fixtures/auth-database.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';
import { program } from '../../fixtures/ridethrough.js';

const planted = 'PLANTED';

/** Variables that an SNMP card's driver or a device shows to every client of upsd. */
const secrets: Readonly<Record<string, string>> = {
  'driver.parameter.community': `${planted}-community`,
  'driver.parameter.authPassword': `${planted}-auth`,
  'driver.parameter.privPassword': '70417041',
  'driver.parameter.mibs': `${planted}-mibs`,
  'driver.parameter.port': `http://admin:${planted}@192.0.2.7/`,
  'override.ups.token': '70427042',
  'device.api_key': `${planted}-key`,
  'ups.password': `${planted}-writable`,
};
const open: Readonly<Record<string, string>> = {
  'driver.parameter.pollinterval': '2',
  'driver.parameter.vendorid': '0463',
  'driver.flag.ignorelb': 'enabled',
  'override.battery.charge.low': '20',
};
/** Nearly whole numbers: a time can have four of their digits. */
const mustNotShow = /PLANTED|704[123]704/;

const dangerous = {
  commands: [
    'load.off',
    'DRIVER.killpower',
    'outlet.1.load.off',
    'outlet.group.1.load.off',
    'outlet.1.shutdown.return',
  ],
  variables: ['ups.timer.shutdown', 'outlet.1.switch', 'outlet.2.timer.shutdown'],
};

for (const transport of ['network', 'tools'] as const)
  describe(`control of a UPS over the ${transport} transport`, () => {
    let upsd: SimulatedUpsd;
    let daemon: RunningDaemon;
    let key: string;
    const asked: string[] = [];

    const lists = (commands: readonly string[], variables: readonly string[]): string =>
      `[nut_control]\nenabled = true\nusername = "ops"\npassword = "pass"\n` +
      `allowed_commands = ${JSON.stringify(commands)}\nallowed_variables = ${JSON.stringify(variables)}\n` +
      '[logging]\nlevel = "debug"\n[api.auth]\ndb_path = "{directory}/lib/auth.db"\n';
    const configuration = (commands: readonly string[], variables: readonly string[]): string =>
      configurationFor({
        port: upsd.port,
        checkInterval: 0.5,
        apiPort: 0,
        transport,
        more: lists(commands, variables),
      });
    const good = (): string =>
      configuration(['beeper.mute', 'shutdown.stop'], ['ups.delay.shutdown', 'ups.password', 'ups.id']);

    before(async () => {
      const text: VariableKind = { description: 'text', writable: true, maxLength: 64 };
      const names = [...dangerous.commands, 'shutdown.stop', 'beeper.mute'];
      upsd = await startSimulatedUpsd({
        ups: [
          {
            name: 'office',
            table: {
              variables: {
                'ups.status': 'OL',
                'battery.charge': '100',
                'ups.delay.shutdown': '20',
                'ups.id': 'a',
                ...Object.fromEntries(dangerous.variables.map((name) => [name, '-1'])),
                ...secrets,
                ...open,
              },
              kinds: Object.fromEntries(
                ['ups.delay.shutdown', 'ups.id', 'ups.password', ...dangerous.variables].map((name) => [
                  name,
                  text,
                ]),
              ),
              commands: Object.fromEntries(names.map((name) => [name.toLowerCase(), { description: name }])),
            },
          },
        ],
        users: [{ name: 'ops', password: 'pass', actions: ['SET'], instcmds: ['ALL'] }],
        onQuery: (words) => {
          if (words[0] === 'INSTCMD' || (words[0] === 'SET' && words[1] === 'VAR'))
            asked.push(words.join(' '));
        },
      });
      daemon = await startDaemon({ toml: good(), user: 'alice' });
      key = await addApiKey(join(daemon.directory, 'lib/auth.db'), 'ops');
      await daemon.seesAll();
    });
    after(async () => {
      await daemon.stop();
      await upsd.stop();
    });
    beforeEach(() => void (asked.length = 0));

    const url = (path: string): string => `http://127.0.0.1:${String(daemon.apiPort)}/api/v1/${path}`;
    const ups = (path: string): string => `ups/office@127.0.0.1:${String(upsd.port)}/${path}`;
    const send = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; text: string }> => {
      const answer = await fetch(url(path), {
        method,
        headers: { 'X-API-Key': key },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const events = async (): Promise<string> => (await send('GET', 'events?verbosity=2&limit=200')).text;

    it('runs shutdown.stop, which cancels a shutdown, when it is allowed', async () => {
      expect(await send('POST', ups('command'), { command: 'shutdown.stop' })).to.include({ status: 200 });
      expect(asked).to.deep.equal(['INSTCMD office shutdown.stop']);
    });

    it('requests nothing from the UPS that can cut power to a load', async () => {
      for (const command of dangerous.commands)
        expect(await send('POST', ups('command'), { command }), command).to.include({ status: 403 });
      for (const variable of dangerous.variables)
        expect(await send('PUT', ups(`variables/${variable}`), { value: '0' }), variable).to.include({
          status: 403,
        });
      expect(asked).to.deep.equal([]);
    });

    it('rejects an allowlist with a power-cutting entry at a reload, in validate and at a start', async () => {
      // Which names are refused does not depend on the transport: all of them once, one of each kind again.
      const most = transport === 'network' ? Infinity : 1;
      for (const [commands, variables] of [
        ...dangerous.commands.slice(0, most).map((name) => [[name], []] as const),
        ...dangerous.variables.slice(0, most).map((name) => [[], [name]] as const),
      ]) {
        const [name = ''] = [...commands, ...variables];
        daemon.configure(configuration(commands, variables));
        const { status, text } = await send('POST', 'config/reload');
        expect(status, text).to.equal(400);
        expect(text).to.contain('RELOAD_REJECTED').and.to.contain(name).and.to.contain('remove');
      }
      const config = join(daemon.directory, 'config.toml');
      for (const words of [['validate'], ['run']]) {
        const ran = spawnSync(process.execPath, [program, ...words, '--config', config], {
          encoding: 'utf8',
        });
        expect([words, ran.status]).to.deep.equal([words, 78]);
        expect(ran.stderr).to.match(/allowed_variables: .*can take power from a load.*remove/s);
      }
      daemon.configure(good());
      expect((await send('POST', 'config/reload')).text).to.contain('"reloaded":true');
    });

    it('shows the name of each secret variable, and never its value', async () => {
      const { readings: shown } = JSON.parse((await send('GET', ups('readings'))).text) as ReadingsBody;
      for (const name of Object.keys(secrets)) expect(shown).to.have.property(name, '(hidden)');
      for (const [name, value] of Object.entries(open)) expect(shown).to.have.property(name, value);
      const { text } = await send('GET', ups('variables'));
      const { variables } = JSON.parse(text) as VariablesBody;
      expect(variables.find(({ name }) => name === 'ups.password')?.value).to.equal('(hidden)');
      for (const path of [
        ups('readings'),
        ups('variables'),
        ups('commands'),
        ups('explain'),
        ups('shutdown-plan'),
        'ups',
        'config',
        'status',
        'events?verbosity=2',
      ])
        expect((await send('GET', path)).text, path).not.to.match(mustNotShow);
      const page = await fetch(url('stream'), { headers: { 'X-API-Key': key } });
      const reader = page.body?.getReader();
      const first = Buffer.from((await reader?.read())?.value ?? new Uint8Array()).toString();
      await reader?.cancel();
      expect(first).to.contain('office').and.not.to.match(mustNotShow);
      expect(daemon.log()).not.to.match(mustNotShow);
    });

    it('writes a secret variable, and neither returns nor records the value', async () => {
      const { status, text } = await send('PUT', ups('variables/ups.password'), { value: '70437043' });
      expect([status, JSON.parse(text)]).to.deep.equal([
        200,
        {
          ups: `office@127.0.0.1:${String(upsd.port)}`,
          variable: 'ups.password',
          value: '(hidden)',
          status: 'ok',
        },
      ]);
      expect(asked).to.deep.equal(['SET VAR office ups.password 70437043']);
      await until(events, (rows) => rows.includes('set ups.password to (hidden): ok'));
      expect(await events()).not.to.match(mustNotShow);
      expect(daemon.log()).not.to.match(mustNotShow);
    });

    it('does not write the placeholder of a hidden value', async () => {
      for (const name of ['ups.password', 'ups.id'])
        expect(await send('PUT', ups(`variables/${name}`), { value: '(hidden)' })).to.include({
          status: 400,
        });
      expect(asked).to.deep.equal([]);
      await until(events, (rows) => rows.includes('set ups.password: failed: '));
    });
  });
