import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationFor } from '../../fixtures/one-ups.js';
import { includes, until } from '../../fixtures/until.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

interface WorkerRow {
  readonly name: string;
  readonly state: string;
}

function workersOf(socketPath: string): Promise<readonly WorkerRow[]> {
  return new Promise((resolve) => {
    const call = request({ socketPath, path: '/control/v1/ready' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve((JSON.parse(text) as { workers: WorkerRow[] }).workers));
    });
    call.on('error', () => resolve([]));
    call.end();
  });
}

const project = fileURLToPath(new URL('../../../../', import.meta.url));

describe('a daemon whose MQTT library', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryFolder();
    // The installed program, with every package but one.
    for (const part of ['chunks', 'scripts', 'supervisor', 'workers', 'shared', 'web'])
      cpSync(join(project, 'dist', part), join(directory, 'dist', part), { recursive: true });
    cpSync(join(project, 'package.json'), join(directory, 'package.json'));
    const packages = join(directory, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync(join(project, 'node_modules')))
      if (name !== 'async-mqtt' && !name.startsWith('.'))
        symlinkSync(join(project, 'node_modules', name), join(packages, name));
  });

  const sayWhatHappens = async (): Promise<{ readonly log: string; readonly code: number | null }> => {
    const file = join(directory, 'config.toml');
    const toml = configurationFor({
      port: 1,
      more: '[mqtt]\nenabled = true\nbroker = "mqtt://127.0.0.1:1"\n',
    });
    writeFileSync(file, toml.replaceAll('{directory}', directory).replaceAll('{shutdown}', '/bin/true'), {
      mode: 0o600,
    });
    const program = join(directory, 'dist/scripts/ridethrough.js');
    const daemon = spawn(process.execPath, [program, 'run', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    daemon.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const exited = once(daemon, 'exit') as Promise<[number | null]>;
    try {
      await until(() => log, includes('cannot be loaded'));
      // The worker still answers: it becomes ready, and ends on request.
      await until(
        () => workersOf(join(directory, 'run/control.sock')),
        (workers) => workers.some(({ name, state }) => name === 'mqtt' && state === 'ready'),
      );
    } finally {
      daemon.kill('SIGTERM');
    }
    const [code] = await exited;
    return { log, code };
  };

  it('is missing reports it once and keeps running', async () => {
    const { log, code } = await sayWhatHappens();
    expect(log.match(/the MQTT client library \(npm package async-mqtt\) cannot be loaded/g)).to.have.length(
      1,
    );
    expect(log).not.to.contain('WORKER_RESTARTED');
    expect(code).to.equal(0);
  });

  it('is broken reports it once and keeps running', async () => {
    const broken = join(directory, 'node_modules/async-mqtt');
    mkdirSync(broken);
    writeFileSync(join(broken, 'index.js'), 'throw new TypeError("half of a file");');
    const { log, code } = await sayWhatHappens();
    expect(log.match(/cannot be loaded: half of a file/g)).to.have.length(1);
    expect(log).not.to.contain('WORKER_RESTARTED');
    expect(code).to.equal(0);
  });
});
