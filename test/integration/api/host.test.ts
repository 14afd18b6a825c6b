// The Host header check of a running daemon, and its log messages.
import { expect } from 'chai';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';
import { ask, codeOf } from '../../workers/api/raw.js';

describe('the Host header check of the daemon', () => {
  let daemon: RunningDaemon;
  let port: number;
  before(async () => {
    daemon = await startDaemon({ toml: configurationFor({ port: 1, apiPort: 0 }) });
    port = daemon.apiPort;
  });
  after(() => daemon.stop());

  const asked = (headers: string) => ask({ port }, '/health', { headers });
  const refusals = () =>
    daemon
      .log()
      .split('\n')
      .filter((line) => line.includes('refused a request from'));

  for (const host of [
    '[fe80::1%25eth0]',
    '[fe80::1%25eth0]:9191',
    '[fe80::1%eth0]',
    'localhost:',
    '[::1]:',
    '127.0.0.1:',
  ])
    it(`accepts ${host}`, async () => expect((await asked(`Host: ${host}\r\n`)).status).to.equal(200));

  it('rejects other names and logs each kind once, with the peer and the remedy', async () => {
    const kinds: readonly (readonly [string, string, RegExp])[] = [
      ['Host: one.example\r\n', 'Host: two.example\r\n', /"one\.example": .*api\.allowed_hosts/],
      ['', 'Host:\r\n', /without a Host: .*"Host: localhost"/],
      [
        'Host: localhost\r\nHost: a\r\n',
        'Host: b\r\nhost: b\r\n',
        /more than one Host header \("localhost, a"\), .*proxy/,
      ],
      [
        'Host: evil.example%25eth0\t\u00ff\r\n',
        'Host: [::1%25]\r\n',
        /malformed Host "evil\.example%25eth0\?+": .*:PORT/,
      ],
    ];
    for (const [first, second] of kinds)
      for (const headers of [first, second]) {
        const answer = await asked(headers);
        expect([answer.status, codeOf(answer)], headers).to.deep.equal([421, 'MISDIRECTED_REQUEST']);
      }
    await until(refusals, (lines) => lines.length >= kinds.length);
    const lines = refusals();
    expect(lines).to.have.length(kinds.length);
    kinds.forEach(([, , says], index) => expect(lines[index]).to.match(says));
    for (const line of lines)
      expect(line)
        .to.contain('127.0.0.1')
        .and.to.match(/^[\x20-\x7e]{0,500}$/);
  });
});

describe('the listen address of the daemon', () => {
  /** The warnings of a start with this `--api-bind`. */
  async function warnings(bind: string): Promise<readonly string[]> {
    const daemon = await startDaemon({
      toml: configurationFor({ port: 1 }),
      args: ['--api-bind', bind, '--api-port', '0'],
    });
    const port = daemon.apiPort;
    const lines = () => daemon.log().split('\n');
    try {
      const url = `http://127.0.0.1:${String(port)}/health`;
      await until(() =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      // The rejection is logged after the messages of the start.
      await ask({ port }, '/health', { headers: 'Host: evil.example\r\n' });
      await until(lines, (list) => list.some((line) => line.includes('refused a request from')));
      return lines().filter((line) => /cleartext|can read it/.test(line));
    } finally {
      await daemon.stop();
    }
  }

  for (const bind of ['::ffff:127.0.0.1', '0:0:0:0:0:ffff:7f00:1'])
    it(`causes no warning when it is loopback: ${bind}`, async () =>
      expect(await warnings(bind)).to.deep.equal([]));
});
