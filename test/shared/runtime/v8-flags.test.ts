import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const built = fileURLToPath(new URL('../../../', import.meta.url));
const guard = `--require=${built}shared/runtime/supervisor-guard.cjs`;
const limit = '--max-old-space-size=96';
const workers = readdirSync(`${built}workers`).filter((name) => name !== 'ssh');

/** Reports, when the program sets its flags, which modules of Node were compiled although Node carries them compiled. */
const report = `
const { internalBinding } = require('internal/test/binding');
const v8 = require('node:v8');
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => {
  if (flag === '--optimize-for-size') {
    const { compiledWithoutCache } = internalBinding('builtins').getCacheUsage();
    require('node:fs').writeSync(1, JSON.stringify([...compiledWithoutCache]) + '\\n');
  }
  setFlagsFromString(flag);
};
require('node:module').syncBuiltinESMExports();
`;

/** Runs Node.js as the supervisor runs a worker, until its first line. */
function firstLine(args: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      env: { RIDETHROUGH_SUPERVISOR: String(process.pid) },
    });
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', () => {
      try {
        resolve(JSON.parse(text));
      } catch (error) {
        reject(new Error(`no answer of ${args.join(' ')}`, { cause: error }));
      }
    });
  });
}

/** The modules of Node that cost most to compile. */
const large = new Set([
  'crypto',
  'tls',
  '_tls_wrap',
  'net',
  'http',
  '_http_client',
  'child_process',
  'zlib',
  'dgram',
]);

describe('a process of the daemon', () => {
  for (const worker of workers)
    it(`takes from Node what it carries compiled: ${worker}`, async () => {
      const preload = `${temporaryFolder()}/report.cjs`;
      writeFileSync(preload, report);
      const program = `${built}workers/${worker}/worker.js`;
      const line = ['--no-warnings', '--expose-internals', limit, guard, `--require=${preload}`, program];
      const compiled = (await firstLine(line)) as readonly string[];
      expect(compiled.filter((name) => large.has(name))).to.deep.equal([]);
    });

  it('keeps the limit of its heap, and so do its threads', async () => {
    const measure = 'getHeapStatistics().heap_size_limit';
    const thread = `import('node:v8').then(({ getHeapStatistics }) =>
      import('node:worker_threads').then(({ parentPort }) => parentPort.postMessage(${measure})))`;
    const text = `(await import(${JSON.stringify(`${built}shared/runtime/v8-flags.js`)})).setV8Flags();
      const { Worker } = await import('node:worker_threads');
      const { getHeapStatistics } = await import('node:v8');
      const ofThread = () => new Promise((resolve) =>
        new Worker(${JSON.stringify(thread)}, { eval: true }).on('message', resolve));
      console.log(JSON.stringify([${measure}, await ofThread(), await ofThread()]));`;
    const program = ['--input-type=module', '--eval', text];
    const plain = await firstLine([limit, ...program]);
    const guarded = await firstLine([limit, guard, ...program]);
    expect(plain).to.be.an('array').with.length(3);
    expect(guarded).to.deep.equal(plain);
  });
});
