import { expect } from 'chai';
import { machinesOf, wayBackWarnings, waysBackOf } from '../../../../supervisor/config/derive/way-back.js';
import { configurationFrom, office, withGroup } from '../loading.js';

const server = (name: string, more = '', owner = 'ups'): string =>
  `[[${owner}.remote_servers]]\nname = "${name}"\nhost = "${name}.example"\nuser = "root"\n${more}`;
const output = '[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "long enough"\n';
const enabled = '[recovery]\nenabled = true\n';
const wake = '[ups.remote_servers.wake]\nmac = "00-00-5E-00-53-01"\n';

const machines = (text: string) => machinesOf(configurationFrom(text));
const servers = (text: string) => machines(text).filter((one) => one.server !== null);
const warnings = (text: string) => wayBackWarnings(configurationFrom(text));

describe('the way back by the configuration', () => {
  it('has this host where a plan powers it off, and every server of a plan', () => {
    const text = `${office}is_local = true\n${server('nas')}${server('old', 'enabled = false\n')}`;
    expect(machines(text).map((machine) => machine.server)).to.deep.equal([null, 'nas']);
    expect(machines(`${text}[local_shutdown]\nenabled = false\n`).map((one) => one.server)).to.deep.equal([
      'nas',
    ]);
  });

  it('has the time to the cut of each feed, from the plan', () => {
    const [host, nas] = machines(
      `${office}is_local = true\n${server('nas')}${output}off_delay = 180\n`.replace(
        '[nut_control]\npassword = "long enough"\noff_delay = 180\n',
        'off_delay = 180\n[nut_control]\npassword = "long enough"\n',
      ),
    );
    for (const machine of [host, nas])
      expect(machine?.feeds).to.deep.equal([
        { ups: 'office-127.0.0.1-3493', label: 'office@127.0.0.1:3493', cut: 180 },
      ]);
    expect(servers(`${office}${server('nas')}`)[0]?.feeds[0]?.cut).to.equal(null);
    const flag = `${office}is_local = true\n[local_shutdown]\npowerdown_flag = "/etc/killpower"\n`;
    expect(machines(flag)[0]?.feeds[0]?.cut).to.equal('late');
  });

  it('has every feed of a redundancy group', () => {
    const [nas] = servers(`${withGroup}${server('nas', '', 'redundancy_groups')}`);
    expect(nas?.feeds.map(({ ups }) => ups)).to.deep.equal(['rack-a-nut1', 'rack-b-nut1']);
  });

  it('ends with a person for a server that keeps its power and that nothing wakes', () => {
    const ways = (text: string) => [...waysBackOf(configurationFrom(text))];
    expect(ways(`${office}${server('nas')}`)).to.deep.equal([['nas', 'never']]);
    expect(ways(`${office}${server('nas', wake)}`)).to.deep.equal([['nas', 'wake']]);
    expect(ways(`${office}is_local = true\n${server('nas')}${output}`)).to.deep.equal([['nas', 'by_itself']]);
    const delegate = `${office}is_local = true\n${server('host', 'host_delegate = true\n')}`;
    expect(
      [...waysBackOf({ ...configurationFrom(delegate), inContainer: true })],
      'the delegate is this host',
    ).to.deep.equal([['host', 'never']]);
  });

  it('has the wake of a server', () => {
    expect(servers(`${office}${server('nas', wake)}`)[0]?.wake).to.equal('mac');
    const [own] = configurationFrom(`${office}${server('nas', wake)}`).ups[0]?.resources.remoteServers ?? [];
    expect(own?.wakeMac).to.equal('00:00:5e:00:53:01');
    const command = '[ups.remote_servers.wake]\ncommand = "ipmitool power on"\n';
    expect(servers(`${office}${server('nas', command)}`)[0]?.wake).to.equal('command');
  });

  it('finds the NUT server of its own UPS by its name, and no other', () => {
    const ups = '[[ups]]\nname = "ups@NAS.example"\n';
    expect(servers(`${ups}${server('nas')}${server('web')}`).map((one) => one.isNutServerOf)).to.deep.equal([
      ['ups@NAS.example'],
      [],
    ]);
    expect(servers(`${ups}[[ups]]\nname = "b@other"\n${server('nas')}`).at(-1)?.isNutServerOf).to.deep.equal(
      [],
    );
    const local = server('nas').replace('nas.example', '127.0.0.1');
    expect(servers(`${office}${local}`)[0]?.isNutServerOf, 'this host').to.deep.equal([]);
  });

  it('has nothing to ask this host without containers', () => {
    expect(machines(`${office}is_local = true\n`)[0]).to.deep.include({ drilledAs: null, drillAsks: [] });
    const containers = `${office}is_local = true\n[ups.containers]\nenabled = true\n`;
    expect(machines(containers)[0]).to.deep.include({ drilledAs: null, drillAsks: ['containers'] });
  });

  it('has to ask a server for its containers, its guests of HA and its network card, where it has them', () => {
    const asks = (more: string) => servers(`${office}${server('nas', more)}`)[0]?.drillAsks;
    const action = (name: string): string =>
      `[[ups.remote_servers.pre_shutdown_commands]]\naction = "${name}"\n`;
    expect(asks('')).to.deep.equal([]);
    expect(asks(wake)).to.deep.equal(['wake']);
    expect(asks(`${action('sync')}${action('stop_vms')}${action('stop_esxi_vms')}`)).to.deep.equal([]);
    expect(
      asks(`${action('stop_proxmox_vms')}${action('stop_proxmox_cts')}${action('stop_containers')}${wake}`),
    ).to.deep.equal(['guests', 'containers', 'wake']);
    const delegate = `${office}is_local = true\n${server('host', `host_delegate = true\n${action('stop_containers')}`)}`;
    const [host] = machinesOf({ ...configurationFrom(delegate), inContainer: true });
    expect(host).to.deep.include({ server: null, drilledAs: 'host', drillAsks: ['containers'] });
  });

  it('has what the daemon starts again on its host through the delegate of a container', () => {
    const startsGuests = (action: string) => {
      const stops = `[[ups.remote_servers.pre_shutdown_commands]]\naction = "${action}"\n`;
      const delegate = server('host', `host_delegate = true\n${stops}`);
      const configuration = configurationFrom(`${office}is_local = true\n${delegate}${enabled}`);
      return machinesOf({ ...configuration, inContainer: true })[0]?.startsGuests;
    };
    expect(startsGuests('stop_containers')).to.equal(true);
    expect(startsGuests('stop_esxi_vms'), 'which are not recorded').to.equal(false);
  });

  it('has the guests that a plan stops, and whether the daemon starts them again', () => {
    const guests = `${office}is_local = true\n[ups.virtual_machines]\nenabled = true\n${server('nas', '[[ups.remote_servers.pre_shutdown_commands]]\naction = "stop_proxmox_vms"\n')}`;
    const of = (more: string) =>
      machines(`${guests}${more}`).map(({ stopsGuests, startsGuests }) => [stopsGuests, startsGuests]);
    expect(of('')).to.deep.equal([
      [true, false],
      [true, false],
    ]);
    expect(of(enabled)).to.deep.equal([
      [true, true],
      [true, true],
    ]);
    const esxi = guests.replace('stop_proxmox_vms', 'stop_esxi_vms');
    expect(machines(`${esxi}${enabled}`)[1]?.startsGuests, 'its guests are not recorded').to.equal(false);
    expect(of(`${enabled}guests = "leave"\n`)[0]).to.deep.equal([true, false]);
    expect(machines(`${office}${server('nas')}`).at(-1)?.stopsGuests).to.equal(false);
  });

  it('warns while recovery is enabled, and is silent else', () => {
    const text = `${office}is_local = true\n${server('nas')}`;
    expect(warnings(text)).to.deep.equal([]);
    expect(warnings(`${text}${enabled}`)).to.have.length(2);
    expect(warnings(`${text}${enabled}`)[1]).to.match(
      /^nas: the way back: nothing cuts the output of office/,
    );
    expect(warnings(`${text}${output}${enabled}`)).to.deep.equal([]);
    expect(configurationFrom(`${text}${enabled}`).warnings).to.include.members([
      ...warnings(`${text}${enabled}`),
    ]);
  });

  it('names ten of many, and counts the rest', () => {
    const many = Array.from({ length: 30 }, (_, number) => server(`server-${String(number)}`)).join('');
    const texts = warnings(`${office}${many}${enabled}`);
    expect(texts).to.have.length(11);
    expect(texts.at(-1)).to.equal('21 more of the way back: see ridethrough recovery check');
  });
});
