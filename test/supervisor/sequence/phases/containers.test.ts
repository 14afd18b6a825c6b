import { expect } from 'chai';
import { composePerformer } from '../../../../supervisor/sequence/phases/compose.js';
import { containerPerformer } from '../../../../supervisor/sequence/phases/containers.js';
import type { Program } from './local-rig.js';
import { fails, LocalRig, missing, ok } from './local-rig.js';

const id = (n: number) => n.toString(16).padStart(64, '0');
const action = {
  kind: 'stopContainers',
  runtime: 'auto',
  includeUserContainers: false,
  stopTimeoutSeconds: 60,
} as const;

/** An engine with containers `names`; those in `stubborn` survive a stop. */
function engine(names: readonly string[], stubborn: readonly string[] = []): Program {
  let running = names.map((name, n) => ({ id: id(n), name }));
  return (command) => {
    if (command.includes('status=paused')) return ok();
    if (command.includes('ps')) return ok(running.map((one) => `${one.id} ${one.name}\n`).join(''));
    running = running.filter((one) => !command.includes(one.id) || stubborn.includes(one.name));
    return stubborn.length === 0 ? ok() : fails('Error: given PID did not die');
  };
}

/** Programs by a word of their command line. */
function programs(of: Readonly<Record<string, Program>>): Program {
  return (command) => {
    const found = Object.entries(of).find(([word]) => command.includes(word));
    return found === undefined ? missing : found[1](command);
  };
}

describe('the containers of this host', () => {
  it('of podman and docker are stopped concurrently, all of an engine in one call', async () => {
    const rig = new LocalRig(programs({ podman: engine(['web', 'db']), docker: engine(['cache']) }));
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({ kind: 'done' });
    expect(rig.ran.filter((line) => line.includes(' stop '))).to.deep.equal([
      `podman stop -t 52 ${id(0)} ${id(1)}`,
      `docker stop -t 52 ${id(0)}`,
    ]);
  });

  it('are reported before they are stopped', async () => {
    const rig = new LocalRig((command) => {
      if (command.includes('stop')) expect(rig.found).to.have.lengthOf(1);
      return programs({ docker: engine(['cache']) })(command);
    });
    await rig.perform(containerPerformer, action, 60);
    expect(rig.found).to.deep.equal([{ engine: 'docker', id: id(0), name: 'cache', user: null }]);
  });

  it('are stopped in several calls of podman, which stops few at the same time on a small machine', async () => {
    const rig = new LocalRig(programs({ podman: engine(['a', 'b', 'c', 'd', 'e', 'f']) }));
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({ kind: 'done' });
    expect(rig.ran.filter((line) => line.includes(' stop '))).to.have.lengthOf(2);
  });

  it('of podman that systemd starts again are stopped by their units, with what they were asked before', async () => {
    let ids = [id(1), id(2), id(3)];
    const quadlets: Program = (command) => {
      if (command.includes('status=paused')) return ok();
      if (command.includes('label=PODMAN_SYSTEMD_UNIT'))
        return ok(
          `${id(1)} web.service\n${id(2)} podman-compose@x.service\n${id(9)} ridethrough.service\n${id(4)} -x.service\n`,
        );
      if (command.includes('ps')) return ok(ids.map((one) => `${one} name\n`).join(''));
      // A new container, of the unit that still runs.
      ids = ['5'.repeat(64)];
      return ok();
    };
    const systemctl: Program = () => {
      ids = [];
      return ok();
    };
    const rig = new LocalRig(programs({ systemctl, podman: quadlets }), { ownContainerId: id(9) });
    const podman = { ...action, runtime: 'podman' } as const;
    expect(await rig.perform(containerPerformer, podman, 60)).to.deep.equal({ kind: 'done' });
    expect(rig.ran.filter((line) => line.includes(' stop '))).to.deep.equal([
      `podman stop -t 52 ${id(1)} ${id(2)} ${id(3)}`,
      'systemctl stop web.service',
    ]);
  });

  it('of podman that are paused are unpaused, listed and stopped', async () => {
    let isPaused = true;
    const paused: Program = (command) => {
      if (command.includes('unpause')) isPaused = false;
      if (command.includes('status=paused')) return ok(isPaused ? `${id(7)} paused\n` : '');
      return ok(command.includes('ps') && !isPaused ? `${id(7)} paused\n` : '');
    };
    const rig = new LocalRig(programs({ podman: paused }));
    await rig.perform(containerPerformer, action, 60);
    expect(rig.ran.filter((line) => !line.includes(' ps '))).to.include.members([
      `podman unpause ${id(7)}`,
      `podman stop -t 52 ${id(7)}`,
    ]);
  });

  it('that still run are named', async () => {
    const rig = new LocalRig(programs({ docker: engine(['web', 'stuck'], ['stuck']) }));
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'docker: still running: stuck (exit status 1: Error: given PID did not die)',
    });
  });

  it('of one engine are stopped while the other hangs, which is reported within the budget', async () => {
    const rig = new LocalRig(programs({ podman: () => 'hangs', docker: engine(['web']) }));
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'podman: could not list containers: did not end within its budget and was killed',
    });
    expect(rig.ran.some((line) => line.startsWith('docker stop'))).to.equal(true);
  });

  it('are named within the budget when their engine hangs in the stop', async () => {
    const listing = engine(['web', 'db']);
    const rig = new LocalRig(
      programs({ podman: (command) => (command.includes('ps') ? listing(command) : 'hangs') }),
    );
    expect(await rig.perform(containerPerformer, { ...action, runtime: 'podman' }, 60)).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'podman: still running: web, db (did not end within its budget and was killed)',
    });
  });

  it('do not include the container of the daemon', async () => {
    const rig = new LocalRig(programs({ docker: engine(['ridethrough', 'web'], ['ridethrough']) }), {
      ownContainerId: id(0),
    });
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({
      kind: 'done',
    });
    expect(rig.ran.find((line) => line.includes(' stop '))).to.equal(`docker stop -t 52 ${id(1)}`);
  });

  it('are none where only the client of docker is installed', async () => {
    const noDaemon = fails(
      'Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?',
    );
    const rig = new LocalRig(programs({ podman: engine([]), docker: () => noDaemon }));
    expect(await rig.perform(containerPerformer, action, 60)).to.deep.equal({ kind: 'done' });
  });

  it('need an engine', async () => {
    const outcome = await new LocalRig(() => missing).perform(containerPerformer, action, 60);
    expect(outcome).to.include({ reason: 'no container engine is installed, or none runs' });
  });

  it('are listed in the mount namespace of the host', async () => {
    const rig = new LocalRig(programs({ podman: engine([]) }), { mountsPrefix: ['nsenter', '--'] });
    await rig.perform(containerPerformer, { ...action, runtime: 'podman' }, 60);
    expect(rig.ran[0]).to.match(/^nsenter -- podman ps /);
  });

  describe('of users without root', () => {
    const users = new Map([
      ['ann', { uid: 1000, gid: 100, groups: [] }],
      ['ben', { uid: 1001, gid: 1001, groups: [] }],
    ]);
    const usersPresent = () => ({ withRuntimeDirectory: new Set([1000]), withContainers: new Set([1000]) });

    it('are stopped as those users, with their runtime directory', async () => {
      const rig = new LocalRig(programs({ '--reuid=1000': engine(['web']), podman: engine([]) }), {
        users,
        usersPresent,
      });
      const request = { ...action, runtime: 'podman', includeUserContainers: true } as const;
      expect(await rig.perform(containerPerformer, request, 60)).to.deep.equal({ kind: 'done' });
      expect(rig.ran.find((line) => line.includes(' stop '))).to.equal(
        'setpriv --reuid=1000 --regid=100 --init-groups --reset-env env PATH=/usr/bin XDG_RUNTIME_DIR=/run/user/1000 ' +
          `DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus podman stop -t 52 ${id(0)}`,
      );
      expect(rig.found).to.deep.equal([{ engine: 'podman', id: id(0), name: 'web', user: 'ann' }]);
    });

    it('fail the step with the user’s name only when the user has running containers', async () => {
      const refuses: Program = () => fails('newuidmap: no such user', 125);
      const rig = new LocalRig(programs({ setpriv: refuses, podman: engine([]) }), { users, usersPresent });
      const request = { ...action, runtime: 'podman', includeUserContainers: true } as const;
      expect(await rig.perform(containerPerformer, request, 60)).to.include({
        reason: 'podman of ann: could not list containers: exit status 125: newuidmap: no such user',
      });
    });
  });
});

describe('a compose project', () => {
  const project = {
    kind: 'stopCompose',
    runtime: 'auto',
    path: '/opt/app/compose.yaml',
    stopTimeoutSeconds: 60,
  } as const;

  it('is stopped by the first installed tool, with a reserve in the budget', async () => {
    const rig = new LocalRig((command) => (command[0] === 'docker' ? ok() : missing));
    expect(await rig.perform(composePerformer, project, 60)).to.deep.equal({ kind: 'done' });
    expect(rig.ran.filter((line) => line.includes(' stop '))).to.deep.equal([
      'podman-compose -f /opt/app/compose.yaml stop -t 52',
      'podman compose -f /opt/app/compose.yaml stop -t 52',
      'docker compose -f /opt/app/compose.yaml stop -t 52',
    ]);
  });

  it('is reported by its containers that run, from a list beside the stop', async () => {
    const rows = [
      [id(1), 'app-db-1', '/opt/app', '/opt/app/compose.yaml'],
      [id(2), 'app-web-1', '/opt/app', 'base.yaml,compose.yaml'],
      [id(3), 'other-1', '/opt/other', 'compose.yaml'],
      [id(4), 'ridethrough', '/opt/app', 'compose.yaml'],
    ];
    const listing = ok(rows.map((row) => `${row.join('\t')}\n`).join(''));
    const rig = new LocalRig(
      (command) => (command[0] !== 'docker' ? missing : command.includes('ps') ? listing : ok()),
      { ownContainerId: id(4) },
    );
    await rig.perform(composePerformer, project, 60);
    expect(rig.found.map(({ engine: of, name }) => `${of} ${name}`)).to.deep.equal([
      'docker app-db-1',
      'docker app-web-1',
    ]);
  });

  it('is stopped while its list hangs', async () => {
    const rig = new LocalRig((command) => (command.includes('ps') ? 'hangs' : ok()));
    expect(await rig.perform(composePerformer, project, 60)).to.deep.equal({ kind: 'done' });
    expect(rig.found).to.deep.equal([]);
  });

  for (const words of [
    'Error: unrecognized command `podman compose`',
    "docker: 'compose' is not a docker command.",
    "unknown shorthand flag: 'f' in -f",
    'Error: looking up compose provider failed',
    "Run 'docker COMMAND --help' for more information on a command.\n\nTo get more help with docker, check out our guides",
  ])
    it(`is stopped by the next tool after: ${words}`, async () => {
      const rig = new LocalRig((command) => (command[0] === 'docker-compose' ? ok() : fails(words, 125)));
      expect(await rig.perform(composePerformer, project, 60)).to.deep.equal({ kind: 'done' });
    });

  it('that cannot be stopped is reported with the services that still run', async () => {
    const rig = new LocalRig((command) => {
      if (command[0] !== 'docker') return missing;
      return command.includes('ps') ? ok('db\n') : fails('Error response from daemon: cannot stop');
    });
    expect(await rig.perform(composePerformer, { ...project, runtime: 'docker' }, 60)).to.include({
      reason: 'docker compose: exit status 1: Error response from daemon: cannot stop; still running: db',
    });
  });

  it('that hangs is reported within the budget', async () => {
    const rig = new LocalRig(() => 'hangs');
    expect(await rig.perform(composePerformer, { ...project, runtime: 'docker' }, 20)).to.include({
      reason: 'docker compose: did not end within its budget and was killed',
    });
  });

  it('needs a tool', async () => {
    expect(
      await new LocalRig(() => missing).perform(composePerformer, { ...project, runtime: 'docker' }, 20),
    ).to.include({
      reason: 'no program for compose projects is installed (tried docker compose, docker-compose)',
    });
  });
});
