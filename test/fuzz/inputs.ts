// `npm run fuzz [-- --runs N --seed S]`: runs the properties of test/fuzz and of damaged configuration files N times each
// instead of briefly. fast-check prints the seed and the smallest input of a failure.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const properties = ['dist/test/fuzz/*.test.js', 'dist/test/supervisor/config/mutations.test.js'];
const { status } = spawnSync('npx', ['--no-install', 'mocha', '--timeout', '3600000', ...properties], {
  stdio: 'inherit',
  env: {
    ...process.env,
    RIDETHROUGH_FUZZ_RUNS: values.runs,
    ...(values.seed === undefined ? {} : { RIDETHROUGH_FUZZ_SEED: values.seed }),
  },
});
process.exitCode = status ?? 1;
