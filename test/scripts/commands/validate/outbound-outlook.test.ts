import { expect } from 'chai';
import { hookLines, notifiedServices } from '../../../../scripts/commands/validate/outbound-outlook.js';
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

  it('is each hook with its events, its wait and its user', () => {
    const text = `${office}[behavior]\ndry_run = true\n[[hooks]]\non = ["ON_BATTERY"]\nafter = 300\ncommand = "true a"\n`;
    expect(hookLines(configurationFrom(text))).to.deep.equal([
      'true at ON_BATTERY after 5 min, as ridethrough-hook, if the daemon is root; not in this dry run',
    ]);
  });
});
