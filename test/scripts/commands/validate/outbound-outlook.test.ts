import { expect } from 'chai';
import {
  hookLines,
  notifiedServices,
  serviceParameters,
  serviceProxies,
} from '../../../../scripts/commands/validate/outbound-outlook.js';
import { configurationFrom, office } from '../../../supervisor/config/loading.js';

describe('what validate says about messages and hooks', () => {
  it('is the services by their place, with their rules and without their address', () => {
    const text = `${office}[notifications]
urls = ["ntfys://ntfy.example/all"]
[[notifications.services]]
url = "ntfys://ntfy.example/phone"
verbosity = 0
ups = ["office@127.0.0.1:3493"]
after = 30
digest = 3600
quiet = "23:00-06:30"
repeat = 1800
`;
    expect(notifiedServices(configurationFrom(text))).to.equal(
      'notifications.urls[0] (ntfy); notifications.services[0] (ntfy), verbosity 0, UPSes and groups: 1, ' +
        'ON_BATTERY after 30 s, brief outages together after 60 min, quiet 23:00 to 06:30, repeats every 30 min',
    );
    expect(notifiedServices(configurationFrom(office))).to.match(/^nothing/);
  });

  it('is what an address says besides its service, and the proxy that it goes through', () => {
    const text = `${office}[notifications]
urls = ["telegram://1:A/5?topic=12&silent=yes", "ntfys://ntfy.example/a?priority=min", "gotify://192.0.2.1/A", "mailto://h.example?to=a@b.example"]
[heartbeat]
url = "https://127.0.0.1/1"
`;
    const environment = { HTTPS_PROXY: 'http://proxy.example', NO_PROXY: 'ntfy.example' };
    const configuration = configurationFrom(text, environment);
    expect(serviceParameters(configuration)).to.equal(
      'notifications.urls[0]: topic 12, no sound but for safety events; notifications.urls[1]: priority 1, of safety events 5',
    );
    expect(serviceProxies(configuration)).to.equal('notifications.urls[0]: HTTPS_PROXY');
    const all = configurationFrom(
      text.replace('[heartbeat]', 'proxy_private = true\n[heartbeat]'),
      environment,
    );
    expect(serviceProxies(all)).to.equal('notifications.urls[0]: HTTPS_PROXY; heartbeat.url: HTTPS_PROXY');
    expect([serviceParameters, serviceProxies].map((of) => of(configurationFrom(office)))).to.deep.equal([
      '',
      '',
    ]);
  });

  it('is each hook with its events, its wait and its user', () => {
    const text = `${office}[behavior]\ndry_run = true\n[[hooks]]\non = ["ON_BATTERY"]\nafter = 300\ncommand = "true a"\n`;
    expect(hookLines(configurationFrom(text))).to.deep.equal([
      'true at ON_BATTERY after 5 min, as ridethrough-hook, if the daemon is root; not in this dry run',
    ]);
  });
});
