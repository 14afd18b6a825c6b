import { expect } from 'chai';
import { withFlags } from '../../../../supervisor/config/load/flags.js';
import { changedPaths } from '../../../../supervisor/config/derive/changed-paths.js';
import { configurationFrom, office, withGroup, withServer } from '../loading.js';

const changed = (before: string, after: string): readonly string[] =>
  changedPaths(configurationFrom(before), configurationFrom(after));
const control = (password: string): string =>
  `${office}[nut_control]\nenabled = true\npassword = "${password}"\n`;

describe('the changes of a reload', () => {
  it('are empty when the file has the same settings in another form', () => {
    expect(changed(office, office)).to.deep.equal([]);
    const spelled = `${office}check_interval = 1.0\n[triggers]\nlow_battery_threshold = 20\n[api]\nport = 9191`;
    expect(changed(office, spelled)).to.deep.equal([]);
  });

  it('are sorted dotted paths', () => {
    const after = `${office}check_interval = 2\n[triggers]\nlow_battery_threshold = 30\n[triggers.depletion]\nwindow = 60`;
    expect(changed(office, after)).to.deep.equal([
      'triggers.depletion.window',
      'triggers.low_battery_threshold',
      'ups[office@127.0.0.1:3493].check_interval',
    ]);
  });

  it('do not include a setting that a flag of the command line overrides', () => {
    const flagged = (text: string) =>
      withFlags(configurationFrom(office + text), { enabled: true, port: 9999 });
    const api = flagged('[api]\nenabled = true\nport = 1234\nbind = "127.0.0.2"\n');
    expect(api.api).to.include({ enabled: true, port: 9999, bind: '127.0.0.2' });
    expect(changedPaths(flagged(''), api)).to.deep.equal(['api.bind']);
  });

  it('include one path for an added or removed UPS', () => {
    const two = `${office}[[ups]]\nname = "Rack-B@nut1"\n`;
    expect(changed(office, two)).to.deep.equal(['ups[Rack-B@nut1]']);
    expect(changed(two, office)).to.deep.equal(['ups[Rack-B@nut1]']);
  });

  it('are empty when only the order of UPSes changes', () => {
    const a = '[[ups]]\nname = "a"\n';
    const b = '[[ups]]\nname = "b"\n';
    expect(changed(a + b, b + a)).to.deep.equal([]);
  });

  it('include one path for an added or removed server or group', () => {
    const server = 'ups[office@127.0.0.1:3493].remote_servers[nas]';
    expect(changed(withServer.replace(/\[\[ups\.remote[^]*/, ''), withServer)).to.deep.equal([server]);
    expect(changed(withServer, `${withServer}port = 2222`)).to.deep.equal([`${server}.port`]);
    expect(changed(withGroup, withGroup.replace(/\[\[redundancy[^]*/, ''))).to.deep.equal([
      'redundancy_groups[rack-1]',
    ]);
    expect(changed(withGroup, `${withGroup}degraded_counts_as = "critical"`)).to.deep.equal([
      'redundancy_groups[rack-1].degraded_counts_as',
    ]);
  });

  it('distinguish an override from the global setting', () => {
    const own = `${office}[ups.triggers]\nconfirmations = 5`;
    expect(changed(office, own)).to.deep.equal(['ups[office@127.0.0.1:3493].triggers.confirmations']);
    expect(changed(own, `${own}\n[triggers]\nconfirmations = 4`)).to.deep.equal(['triggers.confirmations']);
  });

  it('include the path of a changed secret and never its value', () => {
    const paths = changed(control('first one'), control('second one'));
    expect(paths).to.deep.equal(['nut_control.password']);
    const { settings } = configurationFrom(control('first one'));
    expect(JSON.stringify(settings)).to.not.include('first one');
  });

  it('include a secret whose file or variable has changed', () => {
    const text = `${office}[nut_control]\npassword = { env = "P" }`;
    const before = configurationFrom(text, { P: 'first one' });
    const after = configurationFrom(text, { P: 'second one' });
    expect(changedPaths(before, after)).to.deep.equal(['nut_control.password']);
  });

  it('include commands and lists as one setting', () => {
    const local = (more: string): string => `${office}[local_shutdown]\n${more}`;
    expect(changed(local('command = "halt"'), local('command = "halt -f"'))).to.deep.equal([
      'local_shutdown.command',
    ]);
    expect(changed(office, `${office}[api]\nallowed_hosts = ["a.example"]`)).to.deep.equal([
      'api.allowed_hosts',
    ]);
  });
});
