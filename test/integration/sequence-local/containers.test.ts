// Real containers of a real, private podman; and fake engines where a real one needs a daemon or a user.
import { expect } from 'chai';
import { chmodSync } from 'node:fs';
import type { StepAction } from '../../../shared/domain/actions/table.js';
import { docker, podman } from './real-engines.js';
import { needs, Sandbox } from './sandbox.js';

const all = (change: Partial<Extract<StepAction, { kind: 'stopContainers' }>>) =>
  ({
    kind: 'stopContainers',
    runtime: 'podman',
    includeUserContainers: false,
    stopTimeoutSeconds: 2,
    ...change,
  }) as const;

/** A fake program at `$D/bin`. */
function fake(name: string, script: string): string {
  return `mkdir -p $D/bin && export PATH=$D/bin:$PATH\ncat >$D/bin/${name} <<'END'\n#!/bin/sh\n${script}\nEND\nchmod 755 $D/bin/${name}\n`;
}

/** An engine with the containers in `running`, one line of id and name each. */
const engine = `echo "$(id -u) $XDG_RUNTIME_DIR $*" >>D/calls
case $1 in
ps) cat D/running ;;
stop) shift 3; for id; do sed -i "/^$id/d" D/running; done ;;
esac`;

describe('the shutdown of containers on this host', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no namespaces', 'true');
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());
  const here = (script: string) => script.replaceAll('D/', `${sandbox.directory}/`);

  it('stops those of a real podman together, and kills one that ignores SIGTERM', async function () {
    needs(this, 'no container can be run by podman', podman);
    const report = await sandbox.perform(
      `${podman}\nstart deaf still:1 deaf\nstart third still:1`,
      { action: all({}), budgetSeconds: 20 },
      'podman ps --format "{{.Names}}"; podman ps -a --format "{{.Names}}" | sort',
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after.split('\n'), 'none runs, all are kept').to.deep.equal(['deaf', 'good', 'third']);
    expect(report.turnsAfterBudget, 'its budget has not ended').to.equal(null);
  });

  it('of a real docker start with the next engine by their policy, as the documents say', async function () {
    needs(this, 'no docker', docker);
    const report = await sandbox.perform(
      `${docker}\nfor p in always on-failure unless-stopped no; do start --restart $p --name ends-$p still:1; start --restart $p --name deaf-$p still:1 deaf; done`,
      { action: all({ runtime: 'docker' }), budgetSeconds: 20 },
      'docker ps -q; engine_ends; engine; n=0; until [ "$(docker ps -q | wc -l)" -ge 3 ] || [ $n = 100 ]; do n=$((n + 1)); sleep 0.2; done; docker ps --format "{{.Names}}" | sort; engine_ends',
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after.split('\n'), 'on-failure: where it was killed').to.deep.equal([
      'deaf-always',
      'deaf-on-failure',
      'ends-always',
    ]);
  });

  it('of a swarm end with the drain of their node, which is undone by one command', async function () {
    const inSwarm = `${docker}\ndocker swarm init --advertise-addr 127.0.0.1 --listen-addr 127.0.0.1 >/dev/null`;
    needs(this, 'no swarm of docker', `ip link set lo up\n${inSwarm}`);
    const tasks =
      'n=0; until [ "$(docker ps -q | wc -l)" = 2 ] || [ $n = 100 ]; do n=$((n + 1)); sleep 0.2; done';
    const report = await sandbox.perform(
      `${inSwarm}\ndocker service create -d --name web --network host --replicas 2 --no-resolve-image still:1 >/dev/null\n${tasks}`,
      { action: all({ runtime: 'docker' }), budgetSeconds: 30 },
      `docker ps -q; id=$(docker info --format '{{.Swarm.NodeID}}'); docker node inspect --format '{{.Spec.Availability}} {{.Spec.Labels}}' $id
      docker node update --availability active --label-rm ridethrough.drained $id >/dev/null; ${tasks}; docker ps -q | wc -l
      docker node update --availability active --label-rm ridethrough.drained $id 2>&1; docker swarm leave --force >/dev/null; engine_ends`,
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after.split('\n')).to.deep.equal([
      'drain map[ridethrough.drained:true]',
      '2',
      "key ridethrough.drained doesn't exist in node's labels",
    ]);
  });

  it('does not wait for a hanging engine beyond the budget, and does not delay the other engine', async () => {
    const id = 'a'.repeat(64);
    const before = fake('podman', 'sleep 1000') + fake('docker', here(engine)) + `echo ${id} web >$D/running`;
    const report = await sandbox.perform(
      before,
      { action: all({ runtime: 'auto' }), budgetSeconds: 6 },
      // The system ends a killed process in its own time.
      'cat $D/running; n=0; while pgrep -x sleep >$D/left && [ $n -lt 100 ]; do n=$((n + 1)); sleep 0.1; done; cat $D/left',
    );
    expect(report.outcome).to.have.property(
      'reason',
      'podman: could not list containers: did not end within its budget and was killed',
    );
    expect(report.after, 'web is stopped, and nothing is left of the one that hung').to.equal('');
    expect(report.turnsAfterBudget, 'its budget has not ended').to.equal(null);
  });

  it('stops containers of users as these users', async () => {
    chmodSync(sandbox.directory, 0o777);
    const before =
      fake('podman', here(engine)) +
      `echo ${'b'.repeat(64)} blog >$D/running; chmod 666 $D/running\n: >$D/calls; chmod 666 $D/calls`;
    const users = [['nobody', { uid: 65_534, gid: 65_534, groups: [] }]] as const;
    const report = await sandbox.perform(
      `${before}\nmkdir -p /run/user && mount -t tmpfs tmpfs /run/user && mkdir /run/user/65534`,
      { action: all({ includeUserContainers: true }), budgetSeconds: 10, users },
      'grep "^65534" $D/calls',
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after.split('\n')[0]).to.match(/^65534 \/run\/user\/65534 ps /);
  });

  it('goes on with a paused container of podman, which neither lists nor stops it', async () => {
    const script = here(`case "$*" in
*status=paused*) cat D/paused ;;
ps*) cat D/running ;;
unpause*) cat D/paused >>D/running; : >D/paused ;;
stop*) shift 3; for id; do sed -i "/^$id/d" D/running; done ;;
esac`);
    const before = `${fake('podman', script)}: >$D/running; echo ${'c'.repeat(64)} db >$D/paused`;
    const report = await sandbox.perform(
      before,
      { action: all({}), budgetSeconds: 10 },
      'cat $D/paused $D/running',
    );
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after).to.equal('');
  });

  it('stops a compose project with the installed tool', async () => {
    const before = fake('docker', here('echo "$*" >>D/calls; sleep 0.2'));
    const action = {
      kind: 'stopCompose',
      runtime: 'docker',
      path: '/opt/app/compose.yaml',
      stopTimeoutSeconds: 60,
    } as const;
    const report = await sandbox.perform(before, { action, budgetSeconds: 60 }, 'cat $D/calls');
    expect(report.outcome).to.deep.equal({ kind: 'done' });
    expect(report.after).to.match(
      /^(?:ps .*\n)?compose -f \/opt\/app\/compose\.yaml stop -t \d\d(?:\nps .*)?$/,
    );
  });
});
