import { expect } from 'chai';
import { configurationFrom, problemsOf, rack, withServer } from './loading.js';

const wayOut =
  'A probe runs on every server at each interval and must change nothing; use "true", or leave the key out';
const refusal = (probe: string, what: string) => [
  {
    path: 'remote_health.probe_command',
    message: `"${probe}" is not a harmless command: it ${what}. ${wayOut}`,
  },
];
const probing = (probe: string): string => `[remote_health]\nprobe_command = "${probe}"\n`;
const nas = 'ups[office@127.0.0.1:3493].remote_servers[nas]';

describe('the probe command of a configuration', () => {
  for (const [what, probe, text, where] of [
    [
      'the shutdown command of a server',
      '/opt/off --now',
      `${withServer}shutdown_command = "sudo -n /opt/off --now"\n`,
      `${nas}.shutdown_command`,
    ],
    [
      'the shutdown command of a disabled server, while remote health is disabled',
      'off --now',
      `${withServer}enabled = false\nshutdown_command = "/opt/off --now"\n`,
      `${nas}.shutdown_command`,
    ],
    [
      'a pre-shutdown command',
      'timeout 5 stop-work all',
      `${withServer}[[ups.remote_servers.pre_shutdown_commands]]\naction = "sync"\n[[ups.remote_servers.pre_shutdown_commands]]\ncommand = "cd /x && /opt/stop-work all"\n`,
      `${nas}.pre_shutdown_commands[1].command`,
    ],
    [
      'the command that wakes a server',
      'wake-up nas',
      `${withServer}[ups.remote_servers.wake]\ncommand = "/opt/wake-up nas"\n`,
      `${nas}.wake.command`,
    ],
    [
      'the shutdown command of a server of a redundancy group',
      'sh -c off2',
      `${rack}[[redundancy_groups]]\nname = "rack-1"\nups_sources = ["rack-a@nut1", "rack-b@nut1"]\n[[redundancy_groups.remote_servers]]\nname = "pve"\nhost = "192.0.2.9"\nuser = "root"\nshutdown_command = "/opt/off2"\n`,
      'redundancy_groups[rack-1].remote_servers[pve].shutdown_command',
    ],
    [
      'the power-off of this machine',
      'halt-it',
      `${withServer}[local_shutdown]\ncommand = ["/opt/halt-it"]\n`,
      'local_shutdown.command',
    ],
    [
      'the second power-off of this machine',
      'env A=b again -f',
      `${withServer}[local_shutdown]\nfallback_command = "/opt/again -f"\n`,
      'local_shutdown.fallback_command',
    ],
  ] as const)
    it(`is not ${what}`, () => {
      expect(problemsOf(text + probing(probe))).to.deep.equal(refusal(probe, `runs the command of ${where}`));
    });

  it('is checked also while remote health is disabled', () => {
    const text = `${withServer}shutdown_command = "/opt/off"\n${probing('off')}enabled = false\n`;
    expect(problemsOf(text)).to.deep.equal(refusal('off', `runs the command of ${nas}.shutdown_command`));
  });

  it('is not an order', () => {
    for (const [probe, what] of [
      ['docker kill x', 'runs "docker kill", as a shutdown does'],
      ['rm -rf /data', 'begins with "rm"'],
      ['sudo -u root -n -- kill 1', 'begins with "kill"'],
      ['service nginx restart', 'tells service to "restart"'],
    ] as const)
      expect(problemsOf(withServer + probing(probe))).to.deep.equal(refusal(probe, what));
  });

  it('is warned of where nothing is known of it', () => {
    const probe = 'curl -fsS http://127.0.0.1:8080/health';
    const { warnings, remoteHealth } = configurationFrom(withServer + probing(probe));
    expect(warnings).to.include(
      `remote_health.probe_command: "${probe}" is not known to be harmless. ${wayOut}, unless you know that it only looks`,
    );
    expect(remoteHealth.probeCommand).to.equal(probe);
    expect(configurationFrom(withServer + probing('/opt/check-nas')).warnings.join()).not.to.contain('probe');
  });

  it('may be any other command, also with a server whose shutdown command does nothing', () => {
    const text = `${withServer}shutdown_command = "true"\n[local_shutdown]\ncommand = ["/bin/true"]\n`;
    for (const probe of [
      'true',
      'uptime',
      'systemctl is-active nut-server',
      'test -f /etc/x',
      '/usr/bin/id -u',
    ])
      expect(configurationFrom(text + probing(probe)).remoteHealth.probeCommand).to.equal(probe);
    expect(configurationFrom(text).remoteHealth.probeCommand).to.equal('true');
  });
});
