// The search of `ridethrough init` on a real upsd, on the simulated one with a login, and on hostile servers.
import { expect } from 'chai';
import { searchedText } from '../../../scripts/commands/init/found-text.js';
import { search } from '../../../scripts/commands/init/search.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { Behaviour } from '../../fixtures/misbehaving-upsd.js';
import { dribble, flood, misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import { onLine, RealUpsd } from '../../fixtures/real-upsd.js';
import { users } from '../simulated-upsd/fixture.js';

const hasty = { serverMs: 400, readMs: 200 };
const triggers = (rules: readonly { readonly name: string }[]): readonly string[] =>
  rules.map(({ name }) => name);

describe('the search for UPSes', () => {
  it('finds every UPS of a real upsd and says what each can feed', async () => {
    const upsd = await RealUpsd.start({
      ups: { office: onLine, bare: 'ups.status: OL\nbattery.charge: 90\n' },
    });
    try {
      const { upses } = await search({ host: '127.0.0.1', port: upsd.port }, null);
      const found = (upses.ok ? upses.value : []).map(({ name, look }) => [
        name,
        look.ok ? triggers(look.value.fed) : [],
        look.ok ? triggers(look.value.unfed) : [],
      ]);
      const at = `127.0.0.1:${String(upsd.port)}`;
      expect(found).to.have.deep.members([
        [
          `office@${at}`,
          ['LOW_BATTERY', 'CRITICAL_RUNTIME', 'DEPLETION', 'EXTENDED_TIME', 'LOW_BATTERY_FLAG', 'OUTPUT_OFF'],
          [],
        ],
        [
          `bare@${at}`,
          ['LOW_BATTERY', 'DEPLETION', 'EXTENDED_TIME', 'LOW_BATTERY_FLAG', 'OUTPUT_OFF'],
          ['CRITICAL_RUNTIME'],
        ],
      ]);
    } finally {
      await upsd.stop();
    }
  });

  it('logs in only where a server refuses reads without a login', async () => {
    const login = { username: 'monitor', password: 'pass' };
    const upsd = await startSimulatedUpsd({
      ups: [{ name: 'office', noise: 0 }],
      users,
      readsNeedLogin: true,
    });
    const server = { host: '127.0.0.1', port: upsd.port };
    try {
      const without = await search(server, null);
      expect(without).to.include({ wantsLogin: true });
      expect(without.upses.ok).to.equal(false);
      const found = await search(server, login);
      expect(found.upses.ok && found.upses.value[0]?.look.ok).to.equal(true);
    } finally {
      await upsd.stop();
    }
    const open = await misbehavingUpsd(listOf('UPS a "b"'));
    await search(open, login, hasty);
    expect(open.received.join('\n')).not.to.match(/USERNAME|PASSWORD|pass/);
    await open.stop();
  });

  const hostile: readonly (readonly [string, Behaviour])[] = [
    ['says nothing', () => undefined],
    [
      'never ends its list',
      (line, socket) => (line === 'LIST UPS' ? flood(socket, 1e9, 'UPS a "x"\n') : refuse(line, socket)),
    ],
    [
      'never ends a line',
      (line, socket) => (line === 'LIST UPS' ? flood(socket, 1e9, 'x'.repeat(4096)) : refuse(line, socket)),
    ],
    [
      'sends a byte at a time',
      (line, socket) =>
        line === 'LIST UPS' ? dribble(socket, 'BEGIN LIST UPS\nUPS a "b"\n', 50) : refuse(line, socket),
    ],
    ['sends rubbish', (_line, socket) => socket.write('\0\x1b[2J\xff\n')],
  ];
  for (const [what, behaviour] of hostile) {
    it(`ends in time on a server that ${what}`, async () => {
      const server = await misbehavingUpsd(behaviour);
      const { upses } = await search(server, null, hasty);
      expect(upses.ok).to.equal(false);
      await server.stop();
    });
  }

  it('takes fifty UPSes of thousands, and no name that a configuration cannot have', async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => `UPS u${String(index)} "d"`);
    const server = await misbehavingUpsd(listOf('UPS "a b" "x"', 'UPS daemon "x"', 'UPS -x "x"', ...rows));
    const { upses, skipped } = await search(server, null, { serverMs: 20_000, readMs: 20_000 });
    expect(upses.ok && upses.value.length).to.equal(50);
    // `daemon` is usable with its host.
    expect(skipped).to.equal(4003 - 50);
    await server.stop();
  });

  it('shows words of a server without control characters in the file', async () => {
    const server = await misbehavingUpsd(listOf('UPS a "b\x1b[2J\x07\u2028c"'));
    const searched = await search(server, null, { serverMs: 5000, readMs: 5000 });
    expect(searched.upses.ok && searched.upses.value[0]?.description).to.equal('b [2J  c');
    expect(searchedText([searched])).to.contain('status OL');
    await server.stop();
  });
});

const refuse: Behaviour = (_line, socket) => {
  socket.write('ERR UNKNOWN-COMMAND\n');
};

/** A server with these rows, whose UPSes report a status. */
function listOf(...rows: readonly string[]): Behaviour {
  return (line, socket) => {
    const ups = /^LIST VAR (.+)$/.exec(line)?.[1];
    if (line === 'LIST UPS') socket.write(`BEGIN LIST UPS\n${rows.join('\n')}\nEND LIST UPS\n`);
    else if (ups === undefined) refuse(line, socket);
    else socket.write(`BEGIN LIST VAR ${ups}\nVAR ${ups} ups.status "OL"\nEND LIST VAR ${ups}\n`);
  };
}
