import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { importEneru } from '../../../../scripts/commands/init/from/eneru.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import type { Keys } from '../../../../shared/domain/base/keys.js';
import type { Checked } from './drafts.js';
import { checked, inFolder } from './drafts.js';

const imported = (yaml: string) =>
  inFolder({ 'config.yaml': yaml }, (folder) => importEneru(`${folder}/config.yaml`));
const carried = (yaml: string): Checked => checked(imported(yaml));

describe('init --from-eneru', () => {
  it('takes a single "ups:" with everything at the top level as the UPS of this machine', () => {
    const { configuration, left } = carried(`
ups:
  name: office@nas01
  check_interval: 2
  triggers: { low_battery_threshold: 99 }
triggers: { low_battery_threshold: 40, extended_time: { enabled: no } }
docker: { enabled: true, stop_timeout: 33 }
remote_servers:
  - { name: nas, enabled: true, host: 192.0.2.9, user: root }
behavior: { dry_run: false }
`);
    const [ups] = configuration.ups;
    expect(ups?.policy).to.include({ name: 'office@nas01', isLocal: true, checkIntervalMs: 2000 });
    expect(ups?.policy.triggers).to.include({ lowBatteryPercent: 40, lowBatteryFlag: false });
    expect(ups?.policy.triggers.extendedTime.enabled).to.equal(false);
    expect(ups?.resources.containers).to.include({ enabled: true });
    expect(ups?.resources.remoteServers.map(({ name }) => name)).to.deep.equal(['nas']);
    expect(left.join()).to.contain('ups.triggers: Eneru ignores it');
  });

  it('leaves what Eneru ignores beside a list of UPSes', () => {
    const { configuration, left } = carried(
      'ups: [{ name: a@b, is_local: true }]\nremote_servers: [{ host: 192.0.2.9, user: root }]\n',
    );
    expect(configuration.ups[0]?.resources.remoteServers).to.have.length(0);
    expect(left.join()).to.contain('remote_servers: Eneru ignores it');
  });

  it('runs servers with "parallel: false" before the others, one after the other', () => {
    const { configuration } = carried(`
ups:
  - name: a@b
    is_local: true
    remote_servers:
      - { name: together, host: 192.0.2.1, user: root, enabled: true }
      - { name: first, host: 192.0.2.2, user: root, enabled: true, parallel: false }
      - { name: second, host: 192.0.2.3, user: root, enabled: true, parallel: false }
      - { name: last, host: 192.0.2.4, user: root, enabled: false, shutdown_order: 7 }
`);
    const servers = configuration.ups[0]?.resources.remoteServers ?? [];
    expect(servers.map(({ name, shutdownOrder, enabled }) => [name, shutdownOrder, enabled])).to.deep.equal([
      ['together', 3, true],
      ['first', 1, true],
      ['second', 2, true],
      ['last', 4, false],
    ]);
    expect(servers[0]?.shutdownCommand).to.equal('sudo shutdown -h now');
  });

  it('carries options of ssh, actions and the host of a container', () => {
    const { configuration, left } = carried(`
ups:
  - name: a@b
    is_local: true
    remote_servers:
      - name: nas
        enabled: true
        host: 192.0.2.1
        user: admin
        ssh_options: ["-o UserKnownHostsFile=/etc/hosts.known", "-p2222", "-o", "StrictHostKeyChecking=no", "-o ProxyJump=x"]
        pre_shutdown_commands:
          - { action: stop_vms, timeout: 90 }
          - { command: "echo done" }
          - { action: explode }
      - { name: self, enabled: true, host: 127.0.0.1, user: root, is_host_loopback: true, host_identity_command: id }
`);
    const [nas, self] = configuration.ups[0]?.resources.remoteServers ?? [];
    expect(nas).to.include({ port: 2222, knownHostsFile: '/etc/hosts.known' });
    expect(self?.hostDelegate).to.equal(true);
    expect(left.join('\n'))
      .to.contain('ssh_options StrictHostKeyChecking: a host key is always checked')
      .and.to.contain('ssh_options ProxyJump')
      .and.to.contain('pre_shutdown_commands[2]')
      .and.to.contain('host_identity_command');
  });

  it('puts passwords and addresses into files, and shows none', () => {
    const { secrets, text, left } = carried(`
ups: { name: a@b }
nut_control: { enabled: true, username: admin, password: hunter22 }
mqtt: { enabled: true, broker: "mqtts://u:hunter33@broker.example" }
notifications: { urls: ["ntfys://hunter44@ntfy.example/ups", "hunter55://x"] }
unknown: hunter66
`);
    expect(secrets).to.have.members([
      'hunter22',
      'mqtts://u:hunter33@broker.example',
      'ntfys://hunter44@ntfy.example/ups',
    ]);
    expect(`${text}${left.join('\n')}`).not.to.contain('hunter');
    expect(left.join('\n')).to.contain('nut_control.enabled: it needs a user');
  });

  it('names what a service does not get of an address that it carries', () => {
    const { secrets, left } = carried(
      'ups: { name: a@b }\nnotifications: { urls: ["tgram://1:hunter22/5?topic=3&format=hunter33", "ntfys://a?priority=low"] }\n',
    );
    expect(secrets).to.have.length(2);
    expect(left.filter((line) => line.startsWith('notifications'))).to.deep.equal([
      'notifications.urls, number 1: the parameter "format" (it has topic, thread, silent): telegram has nothing of this here; correct or remove it in the file of the address',
    ]);
  });

  it('says where it adds the time that a command does not give shutdown', () => {
    const text = (command: string): string =>
      carried(`ups: { name: a@b }\nlocal_shutdown: { command: "${command}" }\n`).text;
    expect(text('shutdown -h')).to.contain(
      'command = ["shutdown", "-h", "now"]   # local_shutdown.command, which gives shutdown no time; "now" is added',
    );
    expect(text('shutdown -h now')).not.to.contain('is added');
  });

  it('writes out the defaults of Eneru that differ', () => {
    const { configuration } = carried(
      'ups: { name: a@b }\nmqtt: { enabled: true, broker: "mqtt://127.0.0.1" }\nenergy: { cost_per_kwh: 0.3 }\n',
    );
    expect(configuration.mqtt.topicPrefix).to.equal('eneru');
    expect(configuration.energy.currency).to.equal('USD');
  });

  for (const [name, yaml, message] of [
    [
      'a syntax error, without the line',
      'ups: {\n password: hunter2',
      /is not YAML: line \d+, column \d+ \([A-Z_]+\)$/,
    ],
    ['something else', 'hello', /not the mapping/],
    ['no UPS', 'triggers: {}', /no "ups"/],
    ['a UPS without a usable name', 'ups: { name: "a b" }', /no UPS with a name/],
    ['aliases that multiply', bomb(), /aliases expand too far/],
    ['depth', `ups: ${'['.repeat(20_000)}`, /not YAML|nested too deeply/],
  ] as const) {
    it(`refuses ${name}`, () => {
      const refused = imported(yaml);
      expect(refused.ok ? '' : refused.message)
        .to.match(message)
        .and.not.to.contain('hunter');
    });
  }

  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      5,
      30,
      1e9,
      0.5,
      '',
      'a@b',
      'text',
      'mqtt://u:p@h',
      'ntfys://t@n.example/x',
      '03:00',
      '/x',
      [],
      {},
    ),
    fc.array(fc.constantFrom<unknown>('a@b', 'x@y', '/mnt', 1, null, { path: '/x' }), { maxLength: 3 }),
  );
  const server = fc
    .dictionary(
      fc.constantFrom(
        'name',
        'host',
        'user',
        'enabled',
        'parallel',
        'shutdown_order',
        'ssh_options',
        'is_host_loopback',
        'shutdown_command',
        'command_timeout',
        'pre_shutdown_commands',
        'what',
      ),
      fc.oneof(
        odd,
        fc.constantFrom<unknown>('192.0.2.1', 'root', [
          { action: 'sync' },
          { command: 'x' },
          { action: 'stop_compose' },
        ]),
      ),
    )
    .map((one) => ({ host: '192.0.2.1', user: 'root', ...one }));
  const owner = fc
    .tuple(
      sectionOf(fileKeys.ups.keys, odd),
      fc.array(server, { maxLength: 3 }),
      fc.constantFrom('a@b', 'x@y', 'A@B:3493', 'daemon'),
      fc.boolean(),
    )
    .map(([section, servers, name, local]) => ({
      ...section,
      name,
      is_local: local,
      remote_servers: servers,
    }));

  it('writes a valid configuration, or says why not, whatever the file holds', () => {
    fc.assert(
      fc.property(
        sectionOf(fileKeys, odd),
        fc.oneof(fc.array(owner, { maxLength: 3 }), owner),
        fc.array(
          fc.record({
            name: odd,
            ups_sources: odd,
            min_healthy: odd,
            is_local: odd,
            remote_servers: fc.array(server, { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
        fc.array(server, { maxLength: 2 }),
        (section, ups, groups, servers) => {
          const tree = { ...section, ups, redundancy_groups: groups, remote_servers: servers };
          const result = imported(stringify(tree, { version: '1.1' }));
          if (result.ok) checked(result);
          else expect(result.message).to.match(/UPS|YAML/);
        },
      ),
      { numRuns: 250 },
    );
  });
});

/** A mapping with some keys of the schema and some values, most of them wrong. */
function sectionOf(keys: Keys, odd: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(keys).filter(([, { kind }]) => kind !== 'rows');
  return fc.record(
    Object.fromEntries(
      entries.map(([name, entry]) => [
        name,
        entry.kind === 'table' ? fc.oneof(sectionOf(entry.keys, odd), odd) : odd,
      ]),
    ),
    { requiredKeys: [] },
  );
}

function bomb(): string {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe'].map((pair) => [...pair]))
    lines.push(
      `${name ?? ''}: &${name ?? ''} [${Array(9)
        .fill(`*${before ?? ''}`)
        .join(', ')}]`,
    );
  return `${lines.join('\n')}\nups: *f\n`;
}
