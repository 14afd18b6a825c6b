// `npm run fuzz:http [-- --requests N --seed S]`: random requests to a whole daemon; exit code 1 when one answer is not in
// the specification. The seed is printed, and gives the same requests again.
import { parseArgs } from 'node:util';
import { descendants } from '../fixtures/processes.js';
import { startWholeDaemon } from '../integration/api/whole-daemon.js';
import { percentile } from '../bench/table.js';
import { fuzzHttp } from './campaign.js';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(values.requests);
process.stdout.write(`seed ${String(seed)}, ${String(requests)} requests\n`);
const whole = await startWholeDaemon();
try {
  const pid = descendants(whole.daemon.pid).find(({ command }) => command.includes('workers/api'))?.pid ?? 0;
  const target = { ups: `office@127.0.0.1:${String(whole.upsdPort)}`, key: whole.key };
  const report = await fuzzHttp({ port: whole.port, pid, target, requests, seed });
  const { healthMs, healthFailures, memory } = report;
  const answers = [...report.answers]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${String(status)} x ${String(times)}`);
  process.stdout.write(`answers: ${answers.join(', ')}\n`);
  process.stdout.write(
    `/health meanwhile: ${String(healthMs.length)} times, p50 ${percentile(healthMs, 0.5).toFixed(1)} ms, p99 ${percentile(healthMs, 0.99).toFixed(1)} ms, max ${Math.max(...healthMs).toFixed(1)} ms, ${String(healthFailures)} failures\n`,
  );
  process.stdout.write(
    `memory of the API: ${memory.early.toFixed(0)} MB early, ${memory.late.toFixed(0)} MB at the end\n`,
  );
  const log = whole.daemon.log();
  const losses = log
    .split('\n')
    .filter((line) => /lost the (worker|process)|internal error|could not be sent|bug:/.test(line));
  for (const fault of [...report.faults, ...losses]) process.stdout.write(`FAULT ${fault}\n`);
  process.exitCode = report.faults.length + losses.length + healthFailures === 0 ? 0 : 1;
} finally {
  await whole.stop();
}
