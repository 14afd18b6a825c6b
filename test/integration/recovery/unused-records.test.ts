// Records of another machine or configuration file, in the directories of a daemon that runs.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Office } from '../../fixtures/office.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { until } from '../../fixtures/until.js';

const server = '[[ups.remote_servers]]\nname = "nas"\nhost = "127.0.0.1"\nport = 1\nuser = "root"\n';
const records = (directory: string): string => join(directory, 'lib', 'supervisor');
const filesIn = (directory: string): readonly string[] =>
  existsSync(records(directory)) ? readdirSync(records(directory)).sort() : [];
const textOf = (directory: string, end: string): string => {
  const name = filesIn(directory).find((file) => file.endsWith(end));
  return name === undefined ? '' : readFileSync(join(records(directory), name), 'utf8');
};

describe('a record that is not of this daemon', () => {
  const office = new Office();
  let toml: string;
  let first: RunningDaemon;

  beforeEach(async () => {
    const more = `${server}[recovery]\nenabled = true\n[remote_health]\nenabled = false\n`;
    toml = configurationFor({ port: office.upsd.port, more });
    first = office.daemon = await startDaemon({ toml });
    await until(() => textOf(first.directory, '.json').includes('"nas"'));
  });
  afterEach(async () => {
    await office.daemon?.stop();
    office.daemon = undefined;
    rmSync(first.directory, { recursive: true, force: true });
  });

  it('is set aside on another machine, with its file name in the log, and the next one takes its place', async () => {
    await first.kill();
    const { directory } = first;
    rmSync(join(directory, 'run'), { recursive: true });
    const [bootId, machineId] = ['boot-id', 'machine-id'].map((name) => join(directory, name)) as [
      string,
      string,
    ];
    for (const file of [bootId, machineId]) writeFileSync(file, 'another\n');
    const env = { RIDETHROUGH_BOOT_ID_FILE: bootId, RIDETHROUGH_MACHINE_ID_FILE: machineId };
    const second = (office.daemon = await startDaemon({ toml, directory, env }));
    await second.logged(/recovery record \S+\.json\.set-aside-1 is not used: it is of another machine\./);
    await until(() => textOf(directory, '.json').includes('"machineId":"another"'));
    expect(textOf(directory, '.set-aside-1')).not.to.contain('"machineId":"another"');
  });

  it('of another configuration file is not taken over on the same boot, neither its copy nor what is on the disk', async () => {
    await first.kill();
    const second = (office.daemon = await startDaemon({
      toml: toml.replaceAll('{directory}', first.directory),
      // Its control socket is not where a test looks for it.
      ready: false,
    }));
    const file = join(first.directory, 'config.toml');
    await second.logged(
      `the copy of the recovery record of this boot is not used: it is of the configuration file ${file}`,
    );
    await second.logged(`.set-aside-1 is not used: it is of the configuration file ${file}`);
    await until(() =>
      textOf(first.directory, '.json').includes(`"configFile":"${join(second.directory, 'config.toml')}"`),
    );
  });
});
