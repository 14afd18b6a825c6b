import { expect } from 'chai';
import { configurationFrom, office, refuses, warningsFrom } from './loading.js';

const on = '[ups_output]\noff_after_shutdown = true\n';
const password = '[nut_control]\npassword = "a secret"\n';

describe('the output of a UPS, cut after the shutdown', () => {
  refuses([
    {
      it: 'needs the password of a NUT user',
      file: `${office}${on}`,
      path: 'ups[office@127.0.0.1:3493].nut_control.password',
      message:
        'missing here and in [nut_control]; ups_output.off_after_shutdown needs a NUT user that may set ' +
        'ups.delay.shutdown and run shutdown.return (nut_control.enabled may stay false)',
    },
  ]);

  it('is cut with the user of [nut_control], also while that is disabled', () => {
    const [ups] = configurationFrom(`${office}${on}off_delay = 180\n${password}username = "own"`).ups;
    expect(ups?.control).to.equal(null);
    expect(ups?.output).to.deep.equal({
      username: 'own',
      password: 'a secret',
      command: 'shutdown.return',
      cyclesOnMains: false,
      offDelaySeconds: 180,
    });
  });

  it('may be known to cut and return on mains, which has no effect where it is not cut', () => {
    const cycles = '[ups.ups_output]\ncycles_on_mains = true\n';
    const configuration = configurationFrom(`${office}${cycles}${on}${password}`);
    expect(configuration.ups[0]?.output?.cyclesOnMains).to.equal(true);
    expect(configuration.warnings).to.deep.equal([]);
    expect(warningsFrom(`${office}${cycles}`)).to.deep.equal([
      'ups[office@127.0.0.1:3493].ups_output.cycles_on_mains: has no effect without off_after_shutdown = true: the output is not cut',
    ]);
  });

  it('stays on by default', () => {
    expect(configurationFrom(`${office}${password}`).ups[0]?.output).to.equal(null);
  });

  it('causes a warning when local shutdown is disabled', () => {
    const off = '[local_shutdown]\nenabled = false\n';
    const never =
      'has no effect while local_shutdown.enabled = false: the output stays on while this machine is up';
    expect(warningsFrom(`${office}${on}${password}${off}`)).to.deep.equal([
      `ups_output.off_after_shutdown: ${never}`,
    ]);
    expect(
      warningsFrom(`${office}[ups.ups_output]\noff_after_shutdown = true\n${password}${off}`),
    ).to.deep.equal([`ups[office@127.0.0.1:3493].ups_output.off_after_shutdown: ${never}`]);
  });

  it('causes a warning when the delay is too short to halt', () => {
    expect(warningsFrom(`${office}${on}off_delay = 89\n${password}`)).to.deep.equal([
      'ups_output.off_delay: 89 s: the power-off has 30 s to be accepted and a machine takes about a minute to halt; ' +
        'with less than 90 s the UPS may cut the power while the machine still writes',
    ]);
    expect(warningsFrom(`${office}${on}off_delay = 90\n${password}`)).to.deep.equal([]);
  });

  it('causes a warning when the command leaves the output off', () => {
    expect(
      warningsFrom(
        `${office}[ups.ups_output]\noff_after_shutdown = true\ncommand = "shutdown.stayoff"\n${password}`,
      ),
    ).to.deep.equal([
      'ups[office@127.0.0.1:3493].ups_output.command: shutdown.stayoff leaves the output off when mains is back: ' +
        'somebody has to switch it on; shutdown.return does not',
    ]);
  });
});
