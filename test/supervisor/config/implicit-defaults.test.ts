import { expect } from 'chai';
import { preShutdown } from '../../fixtures/plans.js';
import { configurationFrom, office, withServer } from './loading.js';

describe('defaults that follow another setting', () => {
  it('use the name of a UPS as its display name', () => {
    expect(configurationFrom(office).ups[0]?.policy.label).to.equal('office@127.0.0.1:3493');
    expect(configurationFrom(`${office}display_name = "Office"`).ups[0]?.policy.label).to.equal('Office');
  });

  it('use the transport of [nut] for a UPS', () => {
    const tools = `${office}[nut]\ntransport = "tools"`;
    expect(configurationFrom(office).ups[0]?.policy.transport).to.equal('network');
    expect(configurationFrom(tools).ups[0]?.policy.transport).to.equal('tools');
    const own = `${office}transport = "network"\n[nut]\ntransport = "tools"`;
    expect(configurationFrom(own).ups[0]?.policy.transport).to.equal('network');
  });

  it('use the key of the user that starts the daemon for a server', () => {
    const [server] = configurationFrom(withServer).ups[0]?.resources.remoteServers ?? [];
    expect(server?.sshKeyPath).to.equal(null);
  });

  it('use the timeout of the server for a pre-shutdown command', () => {
    const text = `${withServer}command_timeout = 44\n[[ups.remote_servers.pre_shutdown_commands]]\naction = "sync"`;
    const [server] = configurationFrom(text).ups[0]?.resources.remoteServers ?? [];
    expect(server?.preShutdownCommands).to.deep.equal([preShutdown('sync', { timeoutSeconds: 44 })]);
  });

  it('use no address of libvirt', () => {
    expect(configurationFrom(office).ups[0]?.resources.virtualMachines.uri).to.equal(null);
  });

  it('distinguish authentication that is not set from authentication that is disabled', () => {
    const off = `${office}[api.auth]\nenabled = false`;
    expect(configurationFrom(office).api.auth.enabled).to.equal(null);
    expect(configurationFrom(off).api.auth.enabled).to.equal(false);
  });
});
