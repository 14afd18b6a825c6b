import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ActionHost } from '../../fixtures/action-host.js';
import { wakeFindings, wakeLines } from '../../../workers/ssh/wake-check.js';

const mac = '00:00:5e:00:53:01';
const other = '00:00:5e:00:53:02';

/** As ethtool 6 prints it for root; without root the two lines of Wake-on are missing. */
const shown = (letters: string): string => `Settings for eno1:
	Supported ports: [ TP ]
	Speed: 1000Mb/s
	Supports Wake-on: pumbg
	Wake-on: ${letters}
        Current message level: 0x00000007 (7)
	Link detected: yes`;

describe('the check of Wake-on-LAN on a server', () => {
  let host: ActionHost;
  beforeEach(() => {
    host = new ActionHost();
    mkdirSync(join(host.folder, 'net'));
  });
  afterEach(() => host.remove());

  /** A network card; `of` is the address of its own where it is in a bond. */
  const card = (name: string, address: string, of: string | null = null): void => {
    const folder = join(host.folder, 'net', name);
    mkdirSync(join(folder, 'device'), { recursive: true });
    writeFileSync(join(folder, 'address'), `${address}\n`);
    if (of === null) return;
    mkdirSync(join(folder, 'bonding_slave'));
    writeFileSync(join(folder, 'bonding_slave', 'perm_hwaddr'), `${of}\n`);
  };
  const ethtool = (output: string): void =>
    host.tool('ethtool', `echo "ethtool $*" >> ${host.notes}\ncat <<'END'\n${output}\nEND`);
  const ask = async (neighbour: string | null = null, useSudo = false) => {
    const folder = join(host.folder, 'net');
    const lines = wakeLines(mac, useSudo).map((line) => line.replace('/sys/class/net', folder));
    const { outputLines } = await host.sh(lines);
    return wakeFindings(mac, outputLines.join('\n'), neighbour);
  };

  it('finds nothing of a card that is armed for the magic packet, whatever else wakes it', async () => {
    card('lan', other);
    card('eno1', mac);
    for (const letters of ['g', 'pumbg', 'gs']) {
      ethtool(shown(letters));
      expect(await ask(), letters).to.deep.equal([]);
    }
    expect(new Set(host.noted())).to.deep.equal(new Set(['ethtool eno1']));
  });

  it('finds a card that is not armed', async () => {
    card('eno1', mac);
    for (const letters of ['d', 'p', 'umb']) {
      ethtool(shown(letters));
      expect(await ask(), letters).to.deep.equal([
        {
          kind: 'wake',
          text: `its network card eno1 has Wake-on: ${letters}, so Wake-on-LAN does not wake it`,
        },
      ]);
    }
  });

  it('says nothing where ethtool is missing, fails, or shows no Wake-on, as without root', async () => {
    card('eno1', mac);
    expect(await ask(), 'no ethtool').to.deep.equal([]);
    ethtool('Settings for eno1:\nnetlink error: Operation not permitted\n\tLink detected: yes');
    expect(await ask()).to.deep.equal([]);
    host.tool('ethtool', 'exit 75');
    expect(await ask()).to.deep.equal([]);
  });

  it('asks by sudo where that is allowed without a password', async () => {
    card('eno1', mac);
    ethtool(shown('d'));
    host.tool('sudo', `echo "sudo $*" >> ${host.notes}; [ "$2" = -l ] || { shift; exec "$@"; }`);
    expect(await ask(null, true)).to.have.length(1);
    expect(host.noted()).to.deep.equal(['sudo -n -l ethtool eno1', 'sudo -n ethtool eno1', 'ethtool eno1']);
    host.tool('sudo', 'exit 1');
    ethtool('netlink error: Operation not permitted');
    expect(await ask(null, true)).to.deep.equal([]);
  });

  it('finds that no card has the address, unless that address answers ARP here', async () => {
    card('eno1', other);
    card('eno2', '00:00:5e:00:53:03');
    const finding = {
      kind: 'mac',
      text: `no network card of it has the address ${mac}; it has eno1 ${other} eno2 00:00:5e:00:53:03`,
    };
    expect(await ask()).to.deep.equal([finding]);
    expect(await ask(other)).to.deep.equal([finding]);
    expect(await ask(mac)).to.deep.equal([]);
  });

  it('knows the own address of a card in a bond, which shows that of the bond', async () => {
    card('eno1', other, other);
    card('eno2', other, mac);
    ethtool(shown('d'));
    expect((await ask())[0]?.text).to.match(/network card eno2 has Wake-on: d/);
  });

  it('names four cards of a host that has many', async () => {
    for (let number = 1; number <= 200; number += 1) card(`vf${String(number).padStart(3, '0')}`, other);
    const [finding] = await ask();
    expect(finding?.text.match(/vf\d+/g)).to.deep.equal(['vf001', 'vf002', 'vf003', 'vf004']);
  });

  it('takes ARP alone where the server shows no card, such as a container or another system', async () => {
    const text = `it answers here with the address ${other} (ARP), and its wake has ${mac}`;
    expect(await ask(other)).to.deep.equal([{ kind: 'mac', text }]);
    expect(await ask(mac), 'it agrees, which proves nothing').to.deep.equal([]);
    expect(await ask(null), 'behind a router').to.deep.equal([]);
    expect(wakeFindings(mac, null, null), 'the script did not run').to.deep.equal([]);
  });

  it('takes no answer that no script of this daemon prints', () => {
    for (const report of [
      `card ${'x'.repeat(40)}\nwake-on d`,
      'card a b\nwake-on d',
      'card a\u001b[2J\nwake-on d',
      'no card: a\u001b[2J 00:00:5e:00:53:02',
      'wake-on d',
      'no card: x',
      'no card:',
      'card eno1\nwake-on D',
      `card eno1\nwake-on ${'d'.repeat(17)}`,
    ])
      expect(wakeFindings(mac, report, null), report).to.deep.equal([]);
  });
});
