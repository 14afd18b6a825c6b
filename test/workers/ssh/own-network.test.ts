import { expect } from 'chai';
import { meaningOf } from '../../../workers/remote/off/attempt.js';
import {
  gateways4,
  gateways6,
  isOwnNetworkDown,
  neighbour4,
  plainAddress,
  runningLinks,
} from '../../../workers/ssh/own-network.js';

const routes4 = `Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
eth0\t00000000\t0102000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t0002000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
eth1\t00000000\t0103000A\t0003\t0\t0\t200\t00000000\t0\t0\t0
`;
const zero = '0'.repeat(32);
const routes6 = `${zero} 00 ${zero} 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
20010db8000000000000000000000000 40 ${zero} 00 ${zero} 00000100 00000001 00000000 00000001     eth0
`;

describe('the own network', () => {
  it('names the gateways of an interface, and only those', () => {
    expect(gateways4(routes4, 'eth0')).to.deep.equal(['10.0.2.1']);
    expect(gateways6(routes6, 'eth0')).to.deep.equal(['fe80:0000:0000:0000:0000:0000:0000:0001%eth0']);
    expect([...gateways4('', 'eth0'), ...gateways6('torn line', 'eth0')]).to.deep.equal([]);
  });

  it('knows the hardware address of a neighbour that has answered ARP, and of no other', () => {
    const table = `IP address       HW type     Flags       HW address            Mask     Device
192.0.2.1        0x1         0x2         00:1F:90:00:00:01     *        eth0
192.0.2.2        0x1         0x0         00:00:00:00:00:00     *        eth0
192.0.2.3        0x1         0x6         00:00:5e:00:53:03     *        br-lan
192.0.2.4        0x20        0x2         80:00:00:48:fe:80     *        ib0
192.0.2.5        0x1         0x2         torn
`;
    const known = [1, 2, 3, 4, 5, 6].map((last) => neighbour4(table, `192.0.2.${String(last)}`));
    expect(known).to.deep.equal(['00:1f:90:00:00:01', null, '00:00:5e:00:53:03', null, null, null]);
    expect(neighbour4('', '192.0.2.1')).to.equal(null);
  });

  it('knows an address in each of its spellings', () => {
    expect(['::ffff:192.0.2.1', 'fe80::1%eth0', '192.0.2.1'].map(plainAddress)).to.deep.equal([
      '192.0.2.1',
      'fe80::1',
      '192.0.2.1',
    ]);
    expect(runningLinks().get('127.0.0.1')).to.equal('lo');
  });

  it('takes a refusal and a reset for an answer, and errors of its own for none at all', () => {
    const codes = [
      'ECONNREFUSED',
      'ECONNRESET',
      'EHOSTUNREACH',
      'ETIMEDOUT',
      'ENETUNREACH',
      'EMFILE',
      undefined,
    ];
    expect(codes.map(meaningOf)).to.deep.equal([
      'answer',
      'answer',
      'silence',
      'silence',
      'fault',
      'fault',
      'fault',
    ]);
  });

  it('is down when no address of a server has a route on a running link', async () => {
    const links = new Map([['127.0.0.1', 'lo']]);
    expect(await isOwnNetworkDown(['127.0.0.1'], links)).to.equal(false);
    expect(await isOwnNetworkDown(['127.0.0.1'], new Map())).to.equal(true);
    // No host has a route to this address (RFC 4291: the loopback alone has one of its kind).
    expect(await isOwnNetworkDown(['255.255.255.255', '127.0.0.1'], links)).to.equal(false);
  });

  it('is down without an address of the server where only the loopback has one', async () => {
    expect(await isOwnNetworkDown([], new Map([['127.0.0.1', 'lo']]))).to.equal(true);
    expect(await isOwnNetworkDown([], new Map([['192.0.2.7', 'eth0']]))).to.equal(false);
  });
});
