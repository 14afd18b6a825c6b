import { expect } from 'chai';
import type { Plan, PlanStep } from '../../../../shared/domain/outage/plan.js';
import { plansOf } from '../../../../supervisor/config/derive/plans.js';
import { configurationFrom, office } from '../../config/loading.js';

const local = `${office}is_local = true\n`;
const delegate =
  '[[ups.remote_servers]]\nname = "host"\nhost = "host.test"\nuser = "root"\nhost_delegate = true\n';

function stepsOf(text: string, inContainer = false): readonly PlanStep[] {
  const [plan]: readonly Plan[] = plansOf({ ...configurationFrom(text), inContainer });
  return plan?.phases.flatMap(({ steps }) => steps) ?? [];
}

function askedIn(steps: readonly PlanStep[], phase: PlanStep['phase']): readonly string[] {
  return steps.flatMap(({ phase: own, action }) =>
    own === phase && action.kind === 'remote' ? action.work.actions.map((one) => one.action) : [],
  );
}

describe('a plan', () => {
  const composeOnly =
    '[ups.containers]\nenabled = true\ncompose_files = ["/srv/a.yml"]\nshutdown_all_remaining_containers = false\n';

  it('leaves containers without a project running when shutdown_all_remaining_containers is false', () => {
    const ids = stepsOf(`${local}${composeOnly}`).map(({ id }) => id);
    expect(ids).to.include('containers//srv/a.yml').and.not.include('containers/remaining');
    const onDelegate = stepsOf(`${local}${composeOnly}${delegate}`, true);
    expect(askedIn(onDelegate, 'containers')).to.deep.equal(['stop_compose']);
  });

  it('names its target "containers" when there is no project', () => {
    const [containers] = stepsOf(`${local}[ups.containers]\nenabled = true\n`);
    expect(containers).to.include({ id: 'containers/remaining', target: 'containers' });
  });

  it('stops no containers of users on the delegate by default', () => {
    const steps = stepsOf(`${local}[ups.containers]\nenabled = true\n${delegate}`, true);
    expect(askedIn(steps, 'containers')).to.deep.equal(['stop_containers']);
  });

  it('contains no sync on the delegate when sync is disabled', () => {
    const quiet = `${local}[ups.filesystems]\nsync_enabled = false\n${delegate}`;
    expect(stepsOf(quiet, true).map(({ phase }) => phase)).to.deep.equal(['local_poweroff']);
  });

  it('contains a sync when it stops or unmounts something on this host, even when the host stays up', () => {
    const phases = (text: string) =>
      stepsOf(`${local}${text}[local_shutdown]\nenabled = false\n`).map(({ phase }) => phase);
    expect(phases('')).to.deep.equal([]);
    expect(phases('[ups.virtual_machines]\nenabled = true\n')).to.deep.equal([
      'virtual_machines',
      'filesystem_sync',
    ]);
    const unmount = '[ups.filesystems.unmount]\nenabled = true\nmounts = ["/mnt/a"]\n';
    expect(phases(unmount)).to.deep.equal(['filesystem_sync', 'filesystem_unmount']);
  });

  it('waits 2 s for the record of who was up before the power-off of this host, where it is kept', () => {
    const record = (text: string) => stepsOf(text).filter(({ action }) => action.kind === 'keepRecord');
    const kept = '[recovery]\nenabled = true\n';
    expect(record(`${local}${kept}`)).to.have.length(1);
    expect(record(`${local}${kept}`)[0]).to.include({
      ...{ id: 'final_sync/record', phase: 'final_sync', budgetSeconds: 2, destructive: false },
    });
    expect(record(local)).to.deep.equal([]);
    expect(record(`${local}${kept}[local_shutdown]\nenabled = false\n`)).to.deep.equal([]);
  });

  it('sends logged-in users a default message when none is configured', () => {
    const [wall] = stepsOf(`${local}[local_shutdown]\nwall = true\nmessage = ""\n`);
    expect(wall?.action).to.deep.equal({ kind: 'wall', message: 'This host is shutting down' });
  });

  it('tells users and NUT of a power-off of this host, and of no other shutdown', () => {
    const ids = (localShutdown: string) =>
      stepsOf(
        `${local}nut_role = "primary"\n[[ups.remote_servers]]\nname = "nas"\nhost = "nas.test"\nuser = "root"\n` +
          '[nut]\nusername = "us"\npassword = "a secret"\n' +
          `[local_shutdown]\nwall = true\npowerdown_flag = "/etc/killpower"\n${localShutdown}`,
      ).map(({ id }) => id);
    expect(ids('').filter((id) => !/\/(again|sync)$/.test(id))).to.deep.equal([
      'filesystem_sync/users/wall',
      'remote_servers/nas',
      'nut_secondaries/office-127.0.0.1-3493',
      'nut_secondaries/host/flag',
      'local_poweroff/host',
    ]);
    expect(ids('enabled = false\n')).to.deep.equal(['remote_servers/nas']);
  });
});
