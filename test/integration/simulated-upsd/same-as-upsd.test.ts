import { expect } from 'chai';
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { DeviceTable } from '../../../scripts/simulated-upsd/table-device.js';
import type { VariableKind } from '../../../scripts/simulated-upsd/variable-kinds.js';
import { RawClient } from '../../fixtures/raw-client.js';
import { RealUpsd } from '../../fixtures/real-upsd.js';

const upsdUsers = `
[monitor]
 password = pass
 upsmon secondary
[primary]
 password = pass
 upsmon primary
[writer]
 password = pass
 actions = SET
 actions = FSD
 instcmds = beeper.mute
[commander]
 password = pass
 instcmds = LOAD.off
`;
const users = [
  { name: 'monitor', password: 'pass', upsmon: 'secondary' },
  { name: 'primary', password: 'pass', upsmon: 'primary' },
  { name: 'writer', password: 'pass', actions: ['SET', 'FSD'], instcmds: ['beeper.mute'] },
  { name: 'commander', password: 'pass', instcmds: ['LOAD.off'] },
] as const;

const login = (name: string): string[] => [`USERNAME ${name}`, 'PASSWORD pass'];

/** The lines of one connection each, followed by LOGOUT. */
const conversations: Readonly<Record<string, readonly string[]>> = {
  'about itself': ['VER', 'NETVER', 'PROTVER', 'HELP', 'ver', 'VER x', 'HELP x', 'NETVER x'],
  'in lists': [
    'LIST UPS',
    'list ups and more',
    'LIST VAR office',
    'LIST VAR OFFICE and more',
    'LIST RW office',
    'LIST CMD office',
    'LIST CLIENT office',
    'LIST ENUM office ups.load',
    'LIST RANGE office ups.load',
    'LIST ENUM office no.such',
    'LIST RANGE office no.such',
  ],
  'about variables': [
    'GET VAR office ups.mfr',
    'GET VAR OFFICE Battery.Charge and more',
    'GET VAR office no.such',
    'GET VAR other server.info',
    'GET VAR office server.version',
    'GET VAR office server.nothing',
    'GET TYPE office ups.id',
    'GET TYPE office ups.load',
    'GET TYPE office driver.name',
    'GET TYPE office no.such',
    'GET DESC office ups.load',
    'GET DESC office no.such',
    'GET DESC office constructor',
    'GET CMDDESC office load.off',
    'GET CMDDESC office no.such',
    'GET UPSDESC OFFICE',
    'GET NUMLOGINS office and more',
  ],
  'to incomplete or wrong queries': [
    '',
    ...['LIST', 'LIST VAR', 'LIST ENUM office', 'LIST NOTHING office', 'LIST VAR other', 'LIST CLIENT other'],
    ...['GET', 'GET VAR', 'GET VAR office', 'GET NOTHING office', 'GET NOTHING office x', 'GET TYPE office'],
    ...['GET VAR other ups.load', 'GET DESC other x', 'GET CMDDESC other x', 'GET UPSDESC other'],
    ...['GET NUMLOGINS other', 'FROB', 'frob x', 'toString', 'LOGOUT now', 'STARTTLS', 'STARTTLS x'],
    ...['USERNAME', 'USERNAME a b', 'PASSWORD', 'PASSWORD a b'],
  ],
  'to words in every spelling': [
    'GET   VAR\toffice "ups.load"  # a comment',
    '# nothing else',
    'GET VAR off\\ice ups.load',
    'GET "VAR" "office" "ups\\.load"',
    'GET VAR office=ups.load',
    'GET VAR office "ups\nload"',
    'GET VAR of\\\nfice ups.load',
    'GET "" office',
    'GET VAR office "ups."load',
    `FROB ${'x '.repeat(40)}`,
    `GET VAR ${'x'.repeat(600)} ups.load`,
    `GET VAR ${'x'.repeat(490)} server.info`,
    'GET VAR caf\xe9 server.version',
    'PROTVER\r',
  ],
  'to orders without a user': [
    ...['SET', 'SET TRACKING ON', 'SET VAR office ups.id x', 'INSTCMD office load.off', 'LOGIN office'],
    ...['PRIMARY office', 'MASTER office', 'FSD office', 'GET TRACKING', 'GET TRACKING x'],
    ...['PASSWORD pass', 'LOGIN office', 'USERNAME monitor', 'USERNAME monitor', 'PASSWORD pass'],
  ],
  'to a secondary': [
    ...login('monitor'),
    ...['LOGIN', 'LOGIN other', 'LOGIN office x', 'LOGIN office', 'LOGIN office', 'GET NUMLOGINS office'],
    ...['LIST CLIENT office', 'PRIMARY office', 'MASTER office', 'FSD office', 'SET VAR office ups.id x'],
    'INSTCMD office load.off',
  ],
  'about tracking': [
    ...login('commander'),
    ...['SET TRACKING', 'SET TRACKING maybe', 'SET tracking on', 'GET TRACKING', 'GET TRACKING x'],
    ...['INSTCMD office load.off', 'SET TRACKING OFF x', 'GET TRACKING', 'GET TRACKING x'],
  ],
  'to orders': [
    ...login('writer'),
    ...[
      'SET VAR office ups.id',
      'SET VAR office ups.id x y',
      'SET VAR office no.such x',
      'SET VAR other x y',
    ],
    ...[
      'SET VAR office driver.name x',
      'SET VAR office ups.id 12345678901234567',
      'SET NOTHING office ups.id x',
    ],
    ...[
      'INSTCMD',
      'INSTCMD office',
      'INSTCMD other load.off',
      'INSTCMD office no.such',
      'INSTCMD office load.off',
    ],
  ],
  'to a commander': [
    ...login('commander'),
    ...[
      'INSTCMD office load.off',
      'INSTCMD OFFICE LOAD.OFF',
      'INSTCMD office load.off 5',
      'INSTCMD office load.off 5 6',
    ],
    'SET VAR office ups.id x',
  ],
  'to a wrong password': [
    ...['USERNAME writer', 'PASSWORD wrong', 'INSTCMD office load.off', 'INSTCMD office no.such'],
    ...['SET VAR office no.such x', 'LOGIN office', 'SET TRACKING ON'],
  ],
  'to a primary, and with FSD to everyone': [
    ...login('primary'),
    ...['PRIMARY', 'PRIMARY other', 'PRIMARY office x', 'PRIMARY office', 'FSD', 'FSD other', 'FSD office x'],
    ...['FSD office', 'GET VAR office ups.status', 'LIST VAR office', 'LIST RW office'],
  ],
};

describe('the simulated upsd compared with the real one', () => {
  let real: RealUpsd;
  let simulated: SimulatedUpsd;

  before(async () => {
    const dump =
      'ups.status: OL\nups.load: 23\nups.mfr: "Acme \\"Power\\" \\\\ \\# Co"\nups.id: x\nbattery.charge: 99.5\n';
    real = await RealUpsd.start({ ups: { office: dump }, moreUsers: upsdUsers });
    const client = await RawClient.connect(real.port);
    const [serverInfo = ''] = (await client.ask('VER')).split('\n');
    simulated = await startSimulatedUpsd({
      ups: [{ name: 'office', description: 'A office', table: await tableOf(client) }],
      users,
      serverInfo,
    });
    client.close();
  });
  after(() => Promise.all([real.stop(), simulated.stop()]));

  for (const [about, lines] of Object.entries(conversations))
    it(`says the same ${about}, byte for byte`, async () => {
      const [expected, found] = [await converse(real.port, lines), await converse(simulated.port, lines)];
      expect(found.split('\n')).to.deep.equal(expected.split('\n'));
      expect(expected).to.match(/OK Goodbye\n$/);
    });

  it('ignores a malformed line, drops the rest of its packet, and continues', async () => {
    const answers = [];
    for (const { port } of [real, simulated]) {
      const [asker, other] = [await RawClient.connect(port), await RawClient.connect(port)];
      asker.send('GET VAR office "ups#load"\nVER\n');
      // Once another is answered, everything sent before has been read.
      await other.ask('PROTVER');
      answers.push(await asker.ask('PROTVER'));
      asker.close();
      other.close();
    }
    expect(answers).to.deep.equal(['1.3\n', '1.3\n']);
  });
});

/** All answers to these lines, sent together. */
async function converse(port: number, lines: readonly string[]): Promise<string> {
  const client = await RawClient.connect(port);
  client.send(`${lines.join('\n')}\nLOGOUT\n`);
  await client.untilClosed();
  return client.received.replaceAll(/(?<=^OK TRACKING )[0-9a-f-]{36}$/gim, 'ID');
}

/** The UPS of a server as data for the simulated one. */
async function tableOf(client: RawClient): Promise<DeviceTable> {
  const variables: Record<string, string> = {};
  const kinds: Record<string, VariableKind> = {};
  for (const line of (await client.ask('LIST VAR office')).split('\n')) {
    const [, name, quoted] = /^VAR office (\S+) "(.*)"$/.exec(line) ?? [];
    if (name === undefined || quoted === undefined) continue;
    const type = await client.ask(`GET TYPE office ${name}`);
    const [, length] = /STRING:(\d+)/.exec(type) ?? [];
    const [, description = ''] = /"(.*)"/.exec(await client.ask(`GET DESC office ${name}`)) ?? [];
    variables[name] = quoted.replace(/\\(.)/g, '$1');
    kinds[name] = {
      description,
      ...(type.includes(' RW ') ? { writable: true } : {}),
      ...(length === undefined ? {} : { maxLength: Number(length) }),
    };
  }
  const [, loadOff = ''] = /"(.*)"/.exec(await client.ask('GET CMDDESC office load.off')) ?? [];
  return { variables, kinds, commands: { 'load.off': { description: loadOff } } };
}
