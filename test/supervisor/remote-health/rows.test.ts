import { expect } from 'chai';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { rowOf, shortRowsOf, unprobedRows } from '../../../supervisor/remote-health/machine/rows.js';
import { healthSettings } from '../../../supervisor/remote-health/machine/settings.js';
import { nothingProbed } from '../../../supervisor/remote-health/machine/state.js';
import { proberSettings } from '../../../supervisor/workers/prober.js';
import { step } from '../../../supervisor/remote-health/machine/step.js';
import { configurationFrom, office, withGroup, withServer } from '../config/loading.js';
import { Machine, refused, server } from './machine.js';

const groupServer = (group: string, name: string, host: string): string =>
  `[[${group}.remote_servers]]\nname = "${name}"\nhost = "${host}"\nuser = "root"\n`;
const both = `${groupServer('ups', 'nas', '192.0.2.9')}${groupServer('ups', 'old', '192.0.2.10')}enabled = false\n`;
const site = withGroup.replace(office, `${office}${both}`);
const configured = `${site}${groupServer('redundancy_groups', 'rack', '192.0.2.11')}`;

const settingsOf = (configuration: Configuration) =>
  healthSettings(configuration, proberSettings(configuration), 'seed');

describe('the rows of remote servers', () => {
  it('are those of the configuration, each with its group', () => {
    const rows = unprobedRows(configurationFrom(configured));
    expect(
      rows.map(({ server: name, group, groupKind, status }) => [name, group, groupKind, status]),
    ).to.deep.equal([
      ['nas', 'office-127.0.0.1-3493', 'ups', 'UNKNOWN'],
      ['old', 'office-127.0.0.1-3493', 'ups', 'DISABLED'],
      ['rack', 'redundancy-rack-1', 'redundancy', 'UNKNOWN'],
    ]);
    expect(rows[0]).to.deep.include({
      host: '192.0.2.9',
      user: 'root',
      lastCheckedAt: null,
      latencyMs: null,
    });
  });

  it('are all DISABLED when remote health is disabled, and the prober has no server then', () => {
    const off = configurationFrom(`${configured}[remote_health]\nenabled = false\n`);
    expect(unprobedRows(off).map(({ status }) => status)).to.deep.equal(['DISABLED', 'DISABLED', 'DISABLED']);
    expect(proberSettings(off)).to.deep.equal({ servers: [], probeCommand: 'true', works: [] });
  });

  it('of a group are short, without the times of probes', () => {
    const machine = new Machine({
      servers: [server('nas'), server('rack', { group: 'redundancy-rack-1' }), server('web')],
      failureThreshold: 1,
    });
    machine.tick();
    machine.answer(refused);
    const rows = shortRowsOf(machine.state);
    expect(rows.get('office')).to.deep.equal([
      {
        server: 'nas',
        host: '192.0.2.9',
        status: 'FAILED',
        consecutiveFailures: 1,
        lastError: 'connection refused',
      },
      { server: 'web', host: '192.0.2.9', status: 'UNKNOWN', consecutiveFailures: 0, lastError: null },
    ]);
    expect(rows.get('redundancy-rack-1')).to.have.length(1);
  });
});

describe('the settings of the prober', () => {
  it('contain the logins to the servers, and no shutdown work', () => {
    const { servers, works } = proberSettings(configurationFrom(withServer));
    expect(servers.map((access) => access.server)).to.deep.equal(['nas']);
    expect(works).to.deep.equal([]);
  });

  it('contain with check_privileges the work to check, for a delegate that of all its phases together', () => {
    const text =
      `${withServer}host_delegate = true\n[[ups.remote_servers.pre_shutdown_commands]]\naction = "sync"\n` +
      '[ups.virtual_machines]\nenabled = true\n[local_shutdown]\ncommand = ["poweroff"]\n[remote_health]\ncheck_privileges = true\n';
    const { works } = proberSettings({ ...configurationFrom(text), inContainer: true });
    expect(works.map((work) => [work.server, work.final])).to.deep.equal([['nas', 'poweroff']]);
    const actions = works[0]?.actions.map(({ action }) => action);
    expect(actions).to.include.members(['stop_vms', 'sync']);
  });

  it('make a probe due when the login to the server changes, and start a new row for another machine', () => {
    const settings = (more: string) => settingsOf(configurationFrom(`${withServer}${more}`)).servers[0];
    const { place, access } = settings('') ?? server('none');
    expect(settings('connect_timeout = 3\n')).to.include({ place });
    expect(settings('connect_timeout = 3\n')?.access).not.to.equal(access);
    expect(settings('port = 2222\n')?.place).not.to.equal(place);
    expect(settings('[remote_health]\nprobe_command = "hostname"\n')?.access).not.to.equal(access);
    expect(settings('shutdown_order = 3\n')?.access).to.equal(access);
  });

  it('give every server of a group its row', () => {
    const at = { monotonicMs: 0, unixSeconds: 0 };
    const configuration = configurationFrom(configured);
    const settings = settingsOf(configuration);
    const { state } = step(nothingProbed, { kind: 'configured', at, settings });
    expect(state.servers.map(rowOf)).to.deep.equal(unprobedRows(configuration));
  });
});
