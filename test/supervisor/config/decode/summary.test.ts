import { expect } from 'chai';
import { decode } from '../../../../shared/domain/base/decode.js';
import { ConfigSummary } from '../../../../shared/domain/status/config-summary.js';
import { triggerKeys } from '../../../../shared/domain/triggers/table.js';
import { configurationFrom } from '../loading.js';

const text = `
[[ups]]
name = "office@127.0.0.1:3493"
display_name = "Office"
is_local = true
nut_control = { password = "PLANTED-ups", username = "PLANTED-user", allowed_variables = ["ups.delay.shutdown"] }
[ups.triggers]
low_battery_threshold = 35
[[ups.remote_servers]]
name = "nas"
host = "192.0.2.9"
user = "root"
ssh_key_path = "/etc/PLANTED-key"
shutdown_command = "PLANTED-shutdown"
pre_shutdown_commands = [{ command = "curl -H PLANTED-token x" }]
[[ups]]
name = "a@nut1"
[[ups]]
name = "b@nut1"
transport = "tools"
[[redundancy_groups]]
name = "rack 1"
ups_sources = ["a@nut1", "b@nut1"]
[nut_control]
enabled = true
password = "PLANTED-global"
allowed_commands = ["beeper.mute"]
[mqtt]
enabled = true
broker = "mqtts://PLANTED-name:PLANTED-word@broker.example"
[notifications]
urls = ["ntfys://PLANTED-token@ntfy.example/topic"]
[behavior]
dry_run = true
[local_shutdown]
command = "PLANTED-poweroff"
`;

describe('the summary of a configuration', () => {
  const { summary } = configurationFrom(text);

  it('matches its codec, also after the transport as JSON', () => {
    expect(decode(ConfigSummary, JSON.parse(JSON.stringify(summary)))).to.deep.equal({
      ok: true,
      value: summary,
    });
  });

  it('contains no secret, no key path and no command', () => {
    expect(JSON.stringify(summary)).not.to.contain('PLANTED');
  });

  it('shows the thresholds of each UPS, merged', () => {
    expect(summary.ups.map(({ triggers }) => triggers.lowBatteryThreshold)).to.deep.equal([35, 20, 20]);
    expect(summary.ups.map(({ transport }) => transport)).to.deep.equal(['network', 'network', 'tools']);
    expect(summary.redundancyGroups).to.have.length(1);
    expect(summary.redundancyGroups[0]).to.include({ groupId: 'redundancy-rack-1', name: 'rack 1' });
  });

  it('shows every key of [triggers], by its name in camel case', () => {
    expect(summary.ups[1]?.triggers).to.deep.include({
      lowBatteryThreshold: 20,
      criticalRuntimeThreshold: 600,
      onBatteryStabilizationDelay: 30,
      confirmations: 2,
      triggerOnLowBatteryFlag: true,
      failsafeDelay: 15,
      voltageSensitivity: 'normal',
      depletion: { window: 300, criticalRate: 15, gracePeriod: 90, runtimeHold: 120 },
      extendedTime: { enabled: true, threshold: 900 },
    });
    expect(Object.keys(summary.ups[1]?.triggers ?? {})).to.have.length(Object.keys(triggerKeys).length);
  });

  it('shows the settings of a remote server', () => {
    expect(summary.ups[0]?.remoteServers).to.deep.equal([
      {
        name: 'nas',
        host: '192.0.2.9',
        enabled: true,
        shutdownOrder: 1,
        hasPreShutdownCommands: true,
        hasSshKey: true,
        user: 'root',
        preShutdownCommandCount: 1,
        shutdownSafetyMargin: 60,
      },
    ]);
  });

  it('shows the merged allowlists of a UPS', () => {
    expect(summary.ups[0]?.nutControl).to.deep.equal({
      allowedCommands: ['beeper.mute'],
      allowedVariables: ['ups.delay.shutdown'],
    });
    expect(summary.nutControl).to.deep.equal({
      enabled: true,
      allowedCommands: ['beeper.mute'],
      allowedVariables: [],
    });
  });

  it('shows that a broker is configured and the number of services, not their addresses', () => {
    expect(summary.mqtt).to.include({ enabled: true, brokerConfigured: true });
    expect(summary.notifications).to.deep.equal({ enabled: true, serviceCount: 1 });
  });
});
