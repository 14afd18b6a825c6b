import type { Socket } from 'node:net';
import { expect } from 'chai';
import { NutClient } from '../../../workers/poller/session/client.js';
import type { Misbehaving } from '../../fixtures/misbehaving-upsd.js';
import { misbehavingUpsd } from '../../fixtures/misbehaving-upsd.js';
import { tlsOff as tls } from '../../fixtures/poller-settings.js';

const patientMs = 20_000;

describe('a server whose status grows', () => {
  let server: Misbehaving;
  let client: NutClient;
  const notices: string[] = [];
  /** The statuses of the UPS, one for each answer; the last stays. */
  const ups: string[] = [];
  const shown = new Map<Socket, string>();
  afterEach(async () => {
    notices.length = 0;
    shown.clear();
    client.close();
    await server.stop();
  });
  /** As upsnutwrapper 1.2 and 1.3, which write apcupsd's status before what the connection had: `grows`. */
  const start = async (statuses: readonly string[], grows: boolean): Promise<void> => {
    ups.splice(0, ups.length, ...statuses);
    server = await misbehavingUpsd((_line, socket) => {
      const [now = ''] = ups.length > 1 ? ups.splice(0, 1) : ups;
      const status = `${now} ${grows ? (shown.get(socket) ?? '') : ''}`.trimEnd();
      shown.set(socket, status);
      socket.write(`BEGIN LIST VAR ups\nVAR ups ups.status "${status}"\nEND LIST VAR ups\n`);
    });
    const { host, port } = server;
    const notice = (message: string) => void notices.push(message);
    client = new NutClient({ host, port, ups: 'ups', login: null, tls, notice });
  };
  const polls = async (count: number): Promise<readonly (string | undefined)[]> => {
    const seen: (string | undefined)[] = [];
    for (let poll = 0; poll < count; poll += 1) {
      const answer = await client.readVariables(patientMs);
      seen.push(answer.ok ? answer.value['ups.status'] : answer.failure.message);
    }
    return seen;
  };

  it('is read over a new connection for each poll, so that an outage ends', async () => {
    await start(['OL', 'OL', 'OL', 'OB DISCHRG', 'OB DISCHRG LB', 'OL'], true);
    expect(await polls(5)).to.deep.equal(['OL', 'OL', 'OB DISCHRG', 'OB DISCHRG LB', 'OL']);
    expect(shown.size).to.equal(5);
    expect(notices).to.deep.equal([
      'ups.status grows with each answer on a connection ("OL OL"): each poll uses a new one',
    ]);
  });

  it('shows one reading of both at most where an outage begins with its second answer', async () => {
    await start(['OL', 'OB', 'OB', 'OB', 'OL'], true);
    expect(await polls(4)).to.deep.equal(['OL', 'OB OL', 'OB', 'OL']);
  });

  it('of a driver that writes a word twice is read over one connection on, after one look on a new one', async () => {
    await start(['OB', 'OB OFF OB', 'OB OFF OB', 'OB'], false);
    expect(await polls(4)).to.deep.equal(['OB', 'OB OFF OB', 'OB', 'OB']);
    expect(shown.size).to.equal(2);
    expect(notices).to.deep.equal([]);
  });
});
