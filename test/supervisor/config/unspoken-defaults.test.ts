import { expect } from 'chai';
import { preShutdown } from '../../fixtures/plans.js';
import { configurationFrom, office, withServer } from './loading.js';

describe('defaults that follow another setting', () => {
  it('calls a UPS by its name while it has no display name', () => {
    expect(configurationFrom(office).ups[0]?.policy.label).to.equal('office@127.0.0.1:3493');
    expect(configurationFrom(`${office}display_name = "Office"`).ups[0]?.policy.label).to.equal('Office');
  });

  it('takes the transport of a UPS from [nut]', () => {
    const tools = `${office}[nut]\ntransport = "tools"`;
    expect(configurationFrom(office).ups[0]?.policy.transport).to.equal('network');
    expect(configurationFrom(tools).ups[0]?.policy.transport).to.equal('tools');
    const own = `${office}transport = "network"\n[nut]\ntransport = "tools"`;
    expect(configurationFrom(own).ups[0]?.policy.transport).to.equal('network');
  });

  it('leaves the key of a server to the user that starts the daemon', () => {
    const [server] = configurationFrom(withServer).ups[0]?.resources.remoteServers ?? [];
    expect(server?.sshKeyPath).to.equal(null);
  });

  it('gives a pre-shutdown command the timeout of its server', () => {
    const text = `${withServer}command_timeout = 44\n[[ups.remote_servers.pre_shutdown_commands]]\naction = "sync"`;
    const [server] = configurationFrom(text).ups[0]?.resources.remoteServers ?? [];
    expect(server?.preShutdownCommands).to.deep.equal([preShutdown('sync', { timeoutSeconds: 44 })]);
  });

  it('leaves the address of libvirt to libvirt', () => {
    expect(configurationFrom(office).ups[0]?.resources.virtualMachines.uri).to.equal(null);
  });

  it('knows authentication that is unset from authentication that is off', () => {
    const off = `${office}[api.auth]\nenabled = false`;
    expect(configurationFrom(office).api.auth.enabled).to.equal(null);
    expect(configurationFrom(off).api.auth.enabled).to.equal(false);
  });
});
