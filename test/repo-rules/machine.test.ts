// What makes a test depend on its machine: a port of ours that is chosen before it is bound, a second try, its hour and zone.
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tree = fileURLToPath(new URL('../../../', import.meta.url));
const self = 'test/repo-rules/machine.test.ts';

/** Files of `test/` in which a line matches, as `path:line`. */
function linesWith(pattern: RegExp): readonly string[] {
  const paths = readdirSync(join(tree, 'test'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `test/${name}`,
  );
  return paths
    .filter((path) => path.endsWith('.ts') && path !== self)
    .flatMap((path) =>
      readFileSync(join(tree, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${String(index + 1)}`] : [])),
    );
}
const filesWith = (pattern: RegExp): readonly string[] => [
  ...new Set(linesWith(pattern).map((place) => place.split(':')[0] ?? '')),
];

describe('the tests', () => {
  it('try nothing a second time', () => {
    expect(linesWith(/\bretries\(/)).to.deep.equal([]);
  });

  it('are skipped with a reason, which a run shows', () => {
    expect(filesWith(/\bthis\.skip\(|context\.skip\(/)).to.deep.equal(['test/fixtures/skip.ts']);
  });

  it('let our programs bind port 0, and hold a port only for servers of others and where one must be closed', () => {
    const holders: Readonly<Record<string, string>> = {
      'test/fixtures/broker.ts': 'mosquitto',
      'test/fixtures/private-sshd.ts': 'sshd',
      'test/fixtures/prometheus.ts': 'Prometheus',
      'test/fixtures/real-upsd.ts': 'upsd',
      'test/integration/api/openmetrics.test.ts': 'Prometheus',
      'test/integration/notify/outbound-proxy.test.ts': 'tinyproxy',
      'test/integration/proxy/real-proxy.ts': 'nginx, Caddy and HAProxy',
      'test/integration/notify/daemon.test.ts': 'closed',
      'test/integration/nut/misbehaving.test.ts': 'closed',
      'test/integration/security/privileges.test.ts': 'closed',
      'test/integration/ssh/misbehaving.test.ts': 'closed',
      'test/integration/log/rsyslog.ts': 'rsyslogd',
      'test/integration/log/syslog.test.ts': 'closed',
      'test/integration/daemon/reload.test.ts': 'the API moves to a port of the file',
      'test/torture/testbed.ts': 'the API keeps its port when its worker is killed',
    };
    expect(filesWith(/held-port\.js/)).to.have.members(Object.keys(holders));
  });

  it('listen on port 0, or on one that the caller was given', () => {
    expect(linesWith(/\.listen\((?:[1-9]\d*|\{[^}]*port: [1-9])/)).to.deep.equal([]);
  });

  it('set the time zone by the fixture that sets it back', () => {
    expect(filesWith(/process\.env\['TZ'\] = |process\.env\.TZ = /)).to.deep.equal([
      'test/fixtures/time-zone.ts',
    ]);
  });

  it('name a zone where a daemon of theirs has a schedule, whose hour may come while they run', () => {
    const scheduled = filesWith(
      /\b(?:schedule|time|quiet) ?= ?\\?"(?:\d\d:\d\d|daily|weekly|monthly|every )/,
    );
    const withDaemon = scheduled.filter((path) => path.startsWith('test/integration/'));
    const named = filesWith(/\binTimeZone\(/);
    // It starts no daemon.
    const only = ['test/integration/config/validate.test.ts'];
    expect(withDaemon).to.include('test/integration/daemon/reports.test.ts');
    expect(withDaemon.filter((path) => ![...named, ...only].includes(path))).to.deep.equal([]);
  });
});
