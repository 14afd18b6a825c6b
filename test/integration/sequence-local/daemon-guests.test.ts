// What a shutdown stops on the host of the daemon runs again, in the running daemon with real engines: a container of each restart policy and
// a compose project, over the end and the next begin of the engine, on another boot.
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { docker, podman } from './real-engines.js';
import { needs, Sandbox } from './sandbox.js';

const program = fileURLToPath(new URL('daemon-guests-program.js', import.meta.url));
const nothing = { command: ['true'], budgetSeconds: 10 } as const;
const policies = ['always', 'on-failure', 'unless-stopped', 'no'];

/** Shell text: the daemon, and between its two lives what ends and begins with the host. */
const outage = (
  count: number,
  boot: string,
) => `"${process.execPath}" "${program}" $D $D/app/compose.yaml ${String(count)} >$D/report 2>&1 &
daemon=$!; until [ -e $D/stopped ] || ! kill -0 $daemon; do sleep 0.1; done
$ENGINE ps -q | wc -l; ${boot}; touch $D/booted; wait $daemon; cat $D/report; $ENGINE ps --format '{{.Names}}' | sort`;

const project = `printf '#!/bin/sh\\nexit 1\\n' >$D/bin/systemctl; chmod +x $D/bin/systemctl; mkdir $D/app
cat >$D/app/compose.yaml <<'END'
version: "2.4"
services:
  db: { image: "still:1", network_mode: none, restart: unless-stopped }
  web: { image: "still:1", network_mode: none, restart: unless-stopped, depends_on: [db] }
END`;

interface Life {
  readonly failed: readonly string[];
  readonly settled: readonly string[];
  readonly stopSeconds: number;
  readonly startSeconds: number;
}

function parts(after: string) {
  const [left = '', report = '', ...running] = after.split('\n');
  if (!report.startsWith('{')) throw new Error(after);
  return { left: Number(left), running, ...(JSON.parse(report) as Life) };
}

describe('the containers of a real engine on the host of the daemon', () => {
  let sandbox: Sandbox;
  before(function () {
    needs(this, 'no namespaces', 'true');
  });
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  const each = policies.map((policy) => `start --restart ${policy} --name ${policy} still:1`).join('\n');
  const again = (engine: string, name: string) =>
    `the container ${name} of ${engine} is started again: the shutdown stopped it`;

  it('of docker and a project of docker-compose run again', async function () {
    needs(this, 'no docker', docker);
    needs(
      this,
      'no docker-compose',
      `${docker}\n{ docker compose version || docker-compose version; } >$D/log 2>&1 || { tail -n 1 $D/log >&2; exit 1; }`,
    );
    const { after } = await sandbox.perform(
      `${docker}\n${project}\n${each}\nstart --name was-off still:1; docker stop -t 0 was-off >/dev/null
if docker compose version >/dev/null 2>&1; then docker compose -f $D/app/compose.yaml up -d; else docker-compose -f $D/app/compose.yaml up -d; fi >/dev/null 2>&1`,
      nothing,
      `${outage(6, 'reboots')}; engine_ends`,
    );
    const { left, failed, settled, running } = parts(after);
    expect([left, failed]).to.deep.equal([0, []]);
    const names = running.map((name) => name.replaceAll('_', '-'));
    expect(names).to.deep.equal(['always', 'app-db-1', 'app-web-1', 'no', 'on-failure', 'unless-stopped']);
    // docker starts those itself, and on-failure where it was killed.
    expect(settled).to.include('the container always of docker, which the shutdown stopped, runs again');
    for (const name of ['no', 'unless-stopped']) expect(settled).to.include(again('docker', name));
  });

  it('of podman and a project of podman-compose run again', async function () {
    needs(this, 'no container can be run by podman', podman);
    needs(
      this,
      'no podman-compose',
      `${podman}\npodman-compose --version >$D/log 2>&1 || { tail -n 1 $D/log >&2; exit 1; }`,
    );
    // Its network needs plugins and a firewall: the containers are as it makes them, and it stops them.
    const service = (name: string) =>
      `start app_${name}_1 --label io.podman.compose.project=app --label PODMAN_SYSTEMD_UNIT=podman-compose@app.service \
--label com.docker.compose.project=app --label com.docker.compose.service=${name} --label com.docker.compose.project.working_dir=$D/app --label com.docker.compose.project.config_files=compose.yaml still:1`;
    const { after } = await sandbox.perform(
      `${podman}\n${project}\nstart was-off still:1; podman stop -t 0 was-off >/dev/null
${policies.map((policy) => `start ${policy} --restart ${policy} still:1`).join('\n')}\n${service('db')}\n${service('web')}`,
      nothing,
      `${outage(7, 'boots')}; podman stop -a -t 0 >/dev/null`,
    );
    const { left, failed, settled, running } = parts(after);
    expect([left, failed]).to.deep.equal([0, []]);
    const all = ['always', 'app_db_1', 'app_web_1', 'good', 'no', 'on-failure', 'unless-stopped'];
    expect(running).to.deep.equal(all);
    expect([...settled].sort()).to.deep.equal(all.map((name) => again('podman', name)));
  });
});
