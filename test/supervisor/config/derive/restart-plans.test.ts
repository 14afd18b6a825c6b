import { expect } from 'chai';
import { plansOf } from '../../../../supervisor/config/derive/plans.js';
import { configurationFrom, office } from '../loading.js';

const local = `${office}is_local = true\n`;
const on = '[recovery]\nenabled = true\n';

function powerOffOf(text: string, inContainer = false) {
  const [plan] = plansOf({ ...configurationFrom(`${local}${text}`), inContainer });
  const step = plan?.phases.flatMap(({ steps }) => steps).find(({ id }) => id === 'local_poweroff/host');
  if (step === undefined) throw new Error('no power-off');
  return step.action;
}

describe('a plan that powers this host off', () => {
  it('has a restart in its place with recovery enabled, with its time and without the message', () => {
    expect(powerOffOf(''), 'recovery is off').to.not.have.property('restart');
    expect(powerOffOf(on)).to.have.deep.property('restart', ['shutdown', '-r', 'now']);
    const own = '[local_shutdown]\nrestart_command = "shutdown -r"\n';
    expect(powerOffOf(`${own}${on}`)).to.have.deep.property('restart', ['shutdown', '-r', 'now']);
  });

  it('has the restart of the host delegate alone when in a container: without one it powers off', () => {
    const host =
      '[[ups.remote_servers]]\nname = "host"\nhost = "host.test"\nuser = "root"\nhost_delegate = true\n';
    expect(powerOffOf(`${host}${on}`, true)).to.not.have.property('restart');
    const restart = 'restart_command = "sudo -n reboot"\n';
    expect(powerOffOf(`${host}${restart}${on}`, true)).to.have.property('restart', 'sudo -n reboot');
    expect(powerOffOf(`${host}${restart}`, true), 'recovery is off').to.not.have.property('restart');
  });
});
