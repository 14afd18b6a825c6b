import { expect } from 'chai';
import { pingWarnings } from '../../../supervisor/config/programs/ping.js';
import { remoteTargetsOf } from '../../../supervisor/config/derive/ssh-access.js';
import { configurationFrom, problemsOf, withServer } from './loading.js';

const checkOf = (text: string) => remoteTargetsOf(configurationFrom(text))[0]?.offCheck;

describe('the check whether a server is off', () => {
  it('asks the port of SSH by default', () => {
    expect(checkOf(`${withServer}port = 2222\n`)).to.deep.include({
      method: 'tcp',
      port: 2222,
      settleMs: 10_000,
      timeoutMs: 120_000,
    });
  });

  it('of a server overrides [shutdown] key by key', () => {
    const global = '[shutdown]\nhalt_timeout = 60\nhalt_settle = 5\noff_port = 80\n';
    expect(checkOf(`${withServer}halt_timeout = 30\n${global}`)).to.deep.include({
      port: 80,
      settleMs: 5_000,
      timeoutMs: 30_000,
    });
  });

  it('"none" means that nothing waits for the server to be off', () => {
    const server = (text: string) => configurationFrom(text).ups[0]?.resources.remoteServers[0];
    expect(server(`${withServer}[shutdown]\noff_check = "none"\n`)?.waitFor).to.equal('commanded');
    expect(server(withServer)?.waitFor).to.equal('off');
  });

  it('refuses keys that its kind does not use', () => {
    expect(
      problemsOf(`${withServer}off_check = "ping"\noff_port = 80\n`).map(({ path }) => path),
    ).to.deep.equal(['ups[office@127.0.0.1:3493].remote_servers[nas].off_port']);
    expect(
      problemsOf(`${withServer}off_check = "none"\nwait_for = "off"\n`).map(({ path }) => path),
    ).to.deep.equal(['ups[office@127.0.0.1:3493].remote_servers[nas].wait_for']);
  });

  it('by ping is a warning where no group of the worker may send pings', () => {
    const ping = configurationFrom(`${withServer}off_check = "ping"\n`);
    expect(pingWarnings(ping, '1\t0\n').join()).to.include('net.ipv4.ping_group_range');
    expect(pingWarnings(ping, '0\t2147483647\n')).to.deep.equal([]);
    expect(pingWarnings(ping, '100\t200\n', [99, 201])).to.have.length(1);
    expect(pingWarnings(ping, '100\t200\n', [99, 200])).to.deep.equal([]);
    expect(
      [pingWarnings(ping, '1\t0\n', null), pingWarnings(ping, '100\t200\n', null)].flat(),
    ).to.have.length(1);
    expect(pingWarnings(configurationFrom(withServer), '1\t0\n')).to.deep.equal([]);
  });
});
