import { expect } from 'chai';
import { composePerformer } from '../../../../supervisor/sequence/phases/compose.js';
import { containerPerformer } from '../../../../supervisor/sequence/phases/containers.js';
import { virtualMachinePerformer } from '../../../../supervisor/sequence/phases/virtual-machines.js';
import { fails, LocalRig, missing, ok } from './local-rig.js';

describe('the programs of this host as they are today', () => {
  it('docker without its daemon, in the words of newer releases, is no failure beside podman', async () => {
    const down =
      'failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory\n';
    const rig = new LocalRig((command) => (command[0] === 'docker' ? fails(down) : ok()));
    const action = {
      kind: 'stopContainers',
      runtime: 'auto',
      includeUserContainers: false,
      stopTimeoutSeconds: 60,
    } as const;
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({ kind: 'done' });
  });

  it('podman compose that runs a provider and fails is a failure with its reason', async () => {
    const output =
      '>>>> Executing external compose provider "/usr/bin/docker-compose". Please see podman-compose(1) for how to disable this message. <<<<\n\n' +
      'Error response from daemon: cannot stop container web: given PID did not die\n';
    const rig = new LocalRig((command) => (command[0] === 'podman' ? fails(output) : missing));
    const action = {
      kind: 'stopCompose',
      runtime: 'auto',
      path: '/srv/web/compose.yaml',
      stopTimeoutSeconds: 60,
    } as const;
    const outcome = await rig.perform(composePerformer, action, 60);
    expect(outcome)
      .to.have.property('reason')
      .that.matches(/given PID did not die/);
  });

  it('a guest whose request libvirt could not take is asked again before it is destroyed', async () => {
    const uuid = '11111111-2222-3333-4444-555555555555';
    let running = true;
    let asked = 0;
    const rig = new LocalRig((command) => {
      if (command.includes('--state-paused')) return ok();
      if (command.includes('list')) return ok(running ? `${uuid} db\n` : '');
      if (command.includes('destroy')) running = false;
      if (command.includes('shutdown')) {
        asked += 1;
        // A backup of this guest holds its job; it ends a moment later.
        if (asked === 1)
          return fails(
            'error: Timed out during operation: cannot acquire state change lock (held by backup)\n',
          );
        running = false;
      }
      return ok();
    });
    const action = { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 30 } as const;
    await rig.perform(virtualMachinePerformer, action, 40);
    expect(
      rig.ran.filter((line) => line.includes('destroy')),
      `asked ${String(asked)} time`,
    ).to.deep.equal([]);
  });

  it('docker stops fifty at a time in one call: a hundred containers are several calls', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => n.toString(16).padStart(64, '0'));
    const stops: number[] = [];
    const rig = new LocalRig((command) => {
      if (command[0] !== 'docker') return missing;
      if (command.includes('ps')) return ok(stops.length > 0 ? '' : ids.map((id) => `${id} c\n`).join(''));
      stops.push(command.length - 4);
      return ok();
    });
    const action = {
      kind: 'stopContainers',
      runtime: 'docker',
      includeUserContainers: false,
      stopTimeoutSeconds: 60,
    } as const;
    await rig.perform(containerPerformer, action, 60);
    expect(Math.max(...stops)).to.be.at.most(50);
  });
});
