import { expect } from 'chai';
import { loadText } from '../../../supervisor/config/load/load.js';
import { office, withServer } from './loading.js';

/** Section, key, valid values, invalid values; as TOML. */
const table: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['ups', 'check_interval', ['0.2', '30'], ['0.1', '31', 'nan', 'inf', '"1"', '-1']],
  ['ups', 'max_stale_data_tolerance', ['1'], ['0', '1.5']],
  ['ups', 'display_name', ['"Büro"'], ['""', '"a\\nb"']],
  ['ups', 'transport', ['"tools"'], ['"snmp"', 'true']],
  ['ups', 'value_hold', ['0', '300'], ['-1', '301']],
  ['ups', 'status_hold', ['0', '300'], ['-1', '301']],
  ['ups.connection_loss_grace_period', 'duration', ['0', '0.5'], ['-1', '1e9']],
  ['triggers', 'low_battery_threshold', ['0', '100', '12.5'], ['-1', '101', 'nan']],
  ['triggers', 'critical_runtime_threshold', ['0'], ['-1', 'inf']],
  ['triggers', 'confirmations', ['1', '2.0'], ['0', '1.5']],
  ['triggers', 'voltage_sensitivity', ['"loose"'], ['"Loose"']],
  ['triggers.depletion', 'critical_rate', ['0.5'], ['0', '-1']],
  ['triggers.depletion', 'runtime_hold', ['0', '600'], ['-1', '601']],
  ['local_shutdown', 'trigger_on', ['"none"'], ['"all"']],
  ['nut', 'max_pollers', ['1', '64'], ['0', '65']],
  ['nut', 'tls', ['"required"'], ['"on"', 'true']],
  ['nut_control', 'allowed_commands', ['[]', '["beeper.off"]'], ['["a b"]', '"beeper.off"', '[1]']],
  ['nut_control', 'timeout', ['0.1', '300'], ['0', '301']],
  ['api', 'bind', ['"::1"', '"0.0.0.0"'], ['"localhost"', '"127.0.0.1:80"', '""']],
  ['api', 'port', ['0', '65535'], ['-1', '65536', '"9191"']],
  ['api', 'allowed_hosts', ['["ups.example"]'], ['["http://x"]', '["a:80"]', '"a"', '[1]']],
  ['api.auth', 'session_ttl', ['1', '60.0'], ['0', '-5', '1.5']],
  ['api.auth', 'db_path', ['"/a/b.db"'], ['"auth.db"', '"/a/../b"']],
  ['remote_health', 'interval', ['60'], ['59', '0']],
  [
    'remote_health',
    'probe_command',
    ['"true"', '"test -e /etc/shutdown-policy"'],
    ['""', '"a; b"', '"a `b`"'],
  ],
  ['remote_health', 'probe_command', ['"uptime"'], ['"shutdown -h now"', '"/sbin/poweroff"', '"echo HALT"']],
  [
    'remote_health',
    'probe_command',
    ['"systemctl is-active ssh"'],
    ['"systemctl stop ssh"', '"virsh destroy x"'],
  ],
  ['mqtt', 'broker', ['"mqtts://broker.example:8883"'], ['"http://x"', '"broker"', '""', '"mqtt://x/topic"']],
  ['mqtt', 'topic_prefix', ['"a/b"'], ['""', '"a/#"', '"+"', '"/a"', '"$SYS"']],
  [
    'notifications',
    'urls',
    ['["discord://a/b"]', '["webhook+https://x.example/y"]'],
    ['["http://x"]', '"ntfy://x"'],
  ],
  [
    'notifications',
    'suppress',
    ['["POWER_RESTORED"]'],
    ['["power_restored"]', '["ON_BATTERY"]', '["QUORUM_LOST"]'],
  ],
  ['notifications', 'max_attempts', ['0'], ['-1']],
  [
    'battery_health',
    'battery_install_date',
    ['"2024-02-29"', '2024-02-29', '""'],
    ['"2023-02-29"', '"yesterday"'],
  ],
  ['battery_health', 'expected_life_years', ['3.5'], ['0']],
  [
    'self_test',
    'command',
    ['"test.battery.start"', '"test.battery.start.deep"'],
    ['"test.battery.stop"', '"load.off"'],
  ],
  ['self_test', 'schedule', ['"every 30d"', '"daily"'], ['"every 0d"', '"yearly"', '"every 3 weeks"']],
  ['self_test', 'time', ['"23:59"', '"00:00"'], ['"24:00"', '"3:00"', '"03:60"']],
  ['energy', 'currency', ['"CHF"'], ['"eur"', '""']],
  ['reports', 'weekly_day', ['"sunday"'], ['"Sunday"', '0']],
  ['reports', 'monthly_day', ['31'], ['0', '32']],
  ['recovery', 'min_battery_charge', ['0', '100'], ['101']],
  ['statistics', 'db_directory', ['"/srv/ups"'], ['"srv"', '"~/ups"', '""']],
  ['statistics.retention', 'raw_hours', ['1'], ['0']],
  ['logging', 'format', ['"json"'], ['"JSON"']],
  ['logging', 'level', ['"debug"', '"warning"'], ['"warn"', '"trace"']],
  ['logging', 'file', ['"/var/log/r.log"'], ['"r.log"']],
  [
    'logging.syslog',
    'address',
    ['"/run/log"', '"192.0.2.1:514"', '"[::1]:514"'],
    ['"loghost"', '"a:0"', '"a:99999"'],
  ],
  ['logging.syslog', 'facility', ['"local7"'], ['"local8"']],
  ['ups_output', 'off_delay', ['60'], ['59', '0']],
  [
    'ups_output',
    'command',
    ['"shutdown.stayoff"', '"load.off.delay"'],
    ['"test.battery.start"', '"shutdown"', '"load.off"', '"shutdown.stop"', '"shutdown.reboot"'],
  ],
  ['supervisor', 'runtime_directory', ['"/tmp/x"'], ['"/"', '"run"', `"/${'x'.repeat(100)}"`]],
  [
    'api',
    'base_path',
    ['"/ups"', '"/a/b.c_d~e-f"', '""'],
    [
      '"ups"',
      '"/"',
      '"/ups/"',
      '"//evil.example"',
      '"/a//b"',
      '"/../a"',
      '"/a/.."',
      '"/a/./b"',
      '"/é"',
      '"/a%2e"',
      '"/a b"',
      '"/a?b"',
      '"/a#b"',
      '"/a\\\\b"',
      '"/a\\nb"',
      '"/api"',
      '"/api/v1"',
      '"/health"',
      '"/app.js/x"',
      `"/${'a'.repeat(200)}"`,
    ],
  ],
  [
    'api',
    'trusted_proxies',
    ['["127.0.0.1", "10.0.0.0/8", "fd00::/8", "::1"]', '[]'],
    [
      '["proxy"]',
      '["10.0.0.0/33"]',
      '["::/129"]',
      '["0.0.0.0/0"]',
      '["10.0.0.0/"]',
      '["10.0.0.0/8/8"]',
      '["fe80::1%eth0"]',
      '"127.0.0.1"',
    ],
  ],
  [
    'prometheus',
    'prefix',
    ['"ups"', '"a_1"'],
    ['""', '"1a"', '"a_"', '"a-b"', '"network_ups_tools"', `"${'a'.repeat(41)}"`],
  ],
  ['prometheus', 'nut_exporter_names', ['true'], ['"true"', '1']],
  [
    'heartbeat',
    'url',
    [
      '"https://hc.example/ping/x"',
      '"http://[::1]:3001/api/push/x?status=up"',
      '"http://me:you@kuma.example/x"',
    ],
    [
      '"hc.example"',
      '"ftp://hc.example/x"',
      '"https://"',
      '"http://hc.example:0/"',
      '"https://hc.exämple/"',
      '""',
      '1',
    ],
  ],
  ['heartbeat', 'every', ['10', '86400'], ['9', '0', '"60"']],
  ['heartbeat', 'when', ['"ready"'], ['"always"']],
  ['supervisor.worker_users', 'api', ['"nobody"'], ['""', '"root x"']],
  ['ups.remote_servers', 'port', ['22'], ['0']],
  ['ups.remote_servers', 'host_key_policy', ['"strict"'], ['"no"']],
  ['ups.remote_servers', 'shutdown_order', ['1', '1000'], ['0', '1.5']],
  ['ups.remote_servers', 'ssh_key_path', ['"/root/.ssh/id"'], ['"~/.ssh/id"']],
  ['ups.remote_servers', 'shutdown_command', ['"a && b"'], ['""', '"a\\nb"']],
  ['ups.remote_servers', 'boot_check', ['"ssh"', '"tcp:443"'], ['"tcp:0"', '"http"']],
];

function pathsRefused(section: string, key: string, value: string): readonly string[] {
  const line = `${key} = ${value}\n`;
  const text =
    section === 'ups.remote_servers'
      ? withServer + line
      : section === 'ups'
        ? office + line
        : `${office}[${section}]\n${line}`;
  const loaded = loadText(text, {});
  return loaded.ok ? [] : loaded.problems.map(({ path }) => path);
}

describe('the value of', () => {
  for (const [section, key, good, bad] of table) {
    const path = `${section}.${key}`
      .replace('remote_servers', 'remote_servers[nas]')
      .replace(/^ups(?=\.)/, 'ups[office@127.0.0.1:3493]');
    it(`${section}.${key} may be ${good.join(', ')} and not ${bad.join(', ')}`, () => {
      for (const value of good) expect(pathsRefused(section, key, value), value).to.deep.equal([]);
      for (const value of bad) {
        const [refused, ...more] = pathsRefused(section, key, value);
        expect(refused?.replace(/\[0\]$/, ''), value).to.equal(path);
        expect(more, value).to.deep.equal([]);
      }
    });
  }

  it('a table is never a date, a list or a text', () => {
    for (const value of ['1979-05-27T07:32:00Z', '[]', '"x"', '5', 'true']) {
      expect(pathsRefused('ups', 'triggers', value), value).to.have.length(1);
    }
  });
});

describe('a server', () => {
  for (const [key, bad] of [
    ['host', '"-oProxyCommand=x"'],
    ['host', '"a b"'],
    ['host', '""'],
    ['host', '"nas:22"'],
    ['user', '"-root"'],
    ['user', '""'],
    ['user', '"a b"'],
  ] as const) {
    it(`does not have the ${key} ${bad}`, () => {
      const text = withServer.replace(new RegExp(`${key} = .*`), `${key} = ${bad}`);
      const loaded = loadText(text, {});
      expect(loaded.ok ? '' : loaded.problems[0]?.path).to.equal(
        `ups[office@127.0.0.1:3493].remote_servers[nas].${key}`,
      );
    });
  }

  for (const key of ['name', 'host', 'user']) {
    it(`must have a ${key}`, () => {
      const loaded = loadText(
        withServer.replace(new RegExp(`(remote_servers\\]\\]\n[^]*)${key} = .*\n`), '$1'),
        {},
      );
      expect(loaded.ok ? '' : loaded.problems[0]?.message).to.match(/^missing; expected /);
    });
  }
});
