// Several compose projects in one action run side by side, each with its own time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ActionHost } from '../../fixtures/action-host.js';

/**
 * A docker with one container per project, which ends when `ends` lets it, unless it is deaf. The id of a container is
 * the number under which `folder` has its project.
 */
const docker = (folder: string, notes: string, ends: string): string => `
cd ${folder} || exit 9
case "$1 $4" in
compose*) file=$3 ;;
*) for id in "$@"; do :; done; file=$(cat "$id"); format=$3 ;;
esac
name=\${file##*/}
case "$1 $4 $2" in
compose*version) exit 0 ;;
"compose ps"*)
  case $name in (mute*) echo "yaml: line 1" >&2; exit 1 ;; esac
  id=$(printf %s "$file" | cksum | cut -d ' ' -f 1); printf %s "$file" >"$id"; echo "$id" ;;
"compose stop"*)
  echo "asked $name" >>${notes}
  case $name in (deaf*) ;; (*) until ${ends}; do sleep 0.1; done; rm "$file"; echo "ended $name" >>${notes} ;; esac ;;
inspect*) case $format in
  *Running*) if [ -e "$file" ]; then echo "true $id"; else echo "false $id"; fi ;;
  *) echo "/in-$name" ;;
  esac ;;
kill*) echo "killed $name" >>${notes}; rm "$file" ;;
esac`;

describe('the compose projects of one action', () => {
  let host: ActionHost;
  beforeEach(() => {
    host = new ActionHost();
    mkdirSync(join(host.folder, 'ids'));
    containersEnd('true');
  });
  afterEach(() => host.remove());
  /** `when`: a command of a shell. */
  const containersEnd = (when: string) =>
    host.tool('docker', docker(join(host.folder, 'ids'), host.notes, when));
  const projects = (...names: readonly string[]) =>
    names.map((name) => {
      const path = join(host.folder, name);
      writeFileSync(path, '');
      return { path, timeoutSeconds: 8 };
    });
  const run = (given: ReturnType<typeof projects>) =>
    host.run('stop_compose', { runtime: 'docker', projects: given, timeoutSeconds: 8 });

  it('are all stopped at the same time', async () => {
    // Each waits until all have been asked.
    containersEnd(`[ "$(grep -c asked ${host.notes})" -eq 3 ]`);
    expect(await run(projects('a', 'b', 'c'))).to.deep.equal({ status: 0, outputLines: [] });
    const noted = host.noted();
    expect(noted.slice(0, 3).toSorted()).to.deep.equal(['asked a', 'asked b', 'asked c']);
    expect(noted.slice(3).toSorted()).to.deep.equal(['ended a', 'ended b', 'ended c']);
  });

  it('have their own time limit each, within that of the action', async () => {
    const [short, long] = projects('deaf', 'patient');
    // The second one ends by itself, once the first one was killed.
    containersEnd(`grep -q killed ${host.notes}`);
    await run([
      { path: short?.path ?? '', timeoutSeconds: 3 },
      { path: long?.path ?? '', timeoutSeconds: 600 },
    ]);
    expect(host.noted().slice(2)).to.deep.equal(['killed deaf', 'ended patient']);
  });

  it('fail together when one fails, which is named, and the others are stopped', async () => {
    const hostile = `it's $(touch made) "here" ; *`;
    const given = projects('mute.yaml', 'a', hostile);
    const gone = { path: join(host.folder, 'gone'), timeoutSeconds: 8 };
    const { status, outputLines } = await run([...given, gone]);
    expect(status).to.equal(1);
    expect(outputLines).to.have.length(2);
    expect(outputLines.join('\n')).to.match(/gone does not exist on /);
    expect(outputLines.join('\n')).to.match(
      /^what runs of .*\/mute\.yaml on .* cannot be listed: yaml: line 1/m,
    );
    expect(host.noted()).to.include.members(['ended a', `ended ${hostile}`]);
  });

  it('may be named by their directories', async () => {
    const folder = join(host.folder, 'project');
    mkdirSync(folder);
    writeFileSync(join(folder, 'compose.yml'), '');
    expect(await run([{ path: folder, timeoutSeconds: 8 }])).to.deep.equal({ status: 0, outputLines: [] });
    expect(host.noted()).to.deep.equal(['asked compose.yml', 'ended compose.yml']);
  });
});
