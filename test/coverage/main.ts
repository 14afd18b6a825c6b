// `npm run coverage:policy`, `npm run coverage:workers [-- --gaps]`: what the unit tests leave out of some folders, by lines and
// branches of the source. Of policy nothing may be left out but what no input can reach: the `unreachable` ends of closed
// unions. Of the others the figure is a hint: integration tests run their bundles, which it does not see.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Covered } from './gaps.js';
import { coveredIn } from './gaps.js';

interface Area {
  readonly include: readonly string[];
  readonly tests: readonly string[];
  readonly mustBeWhole: boolean;
}

const policyTests = 'dist/test/supervisor/{policy,sequence,config}/**/*.test.js';
const areas: Readonly<Record<string, Area>> = {
  policy: {
    include: ['supervisor/policy/**', 'shared/domain/triggers/**'],
    tests: [policyTests],
    mustBeWhole: true,
  },
  workers: {
    include: ['supervisor/sequence/**', 'workers/**'],
    tests: ['dist/test/{workers,contract}/**/*.test.js', 'dist/test/supervisor/**/*.test.js'],
    mustBeWhole: false,
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { gaps: { type: 'boolean', default: false } },
});
const [name = ''] = positionals;
const area = areas[name];
if (area === undefined) throw new Error(`which of ${Object.keys(areas).join(', ')}?`);

const { status } = spawnSync(
  'node_modules/.bin/c8',
  [
    ...['--clean', '--temp-directory', 'coverage/raw', '--reports-dir', `coverage/${name}`],
    ...['--exclude-after-remap', ...area.include.flatMap((pattern) => ['--include', pattern])],
    ...['--reporter', 'json', 'node_modules/.bin/mocha', '--reporter', 'dot', ...area.tests],
  ],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

const files = coveredIn(`coverage/${name}/coverage-final.json`);
if (values.gaps || area.mustBeWhole)
  for (const gap of files.flatMap(({ gaps }) => gaps)) process.stdout.write(`${gap}\n`);
const folders = new Set(files.map(folderOf));
for (const folder of folders) {
  const own = files.filter((file) => folderOf(file) === folder);
  const sum = (of: (file: Covered) => number): number => own.reduce((total, file) => total + of(file), 0);
  const [places, passed, unreachable] = [
    sum((one) => one.places),
    sum((one) => one.passed),
    sum((one) => one.unreachable),
  ];
  const share = ((100 * (passed + unreachable)) / Math.max(1, places)).toFixed(1);
  process.stdout.write(
    `${folder}: ${String(own.length)} files, ${String(places)} lines and branches, ${String(passed)} passed, ` +
      `${String(unreachable)} unreachable, ${String(sum(({ gaps }) => gaps.length))} left out: ${share} %\n`,
  );
}
if (files.length === 0 || (area.mustBeWhole && files.some(({ gaps }) => gaps.length > 0)))
  process.exitCode = 1;

/** `workers/poller` of `workers/poller/wire/wire.ts`. */
function folderOf({ file }: Covered): string {
  return file.split('/').slice(0, 2).join('/');
}
