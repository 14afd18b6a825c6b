import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../../fixtures/faults.js';
import { faultCode } from '../../fixtures/faults.js';
import { runInside } from '../../fixtures/inspector.js';
import { descendants } from '../../fixtures/processes.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { SequenceSite, journalRecords, recordName } from '../../fixtures/sequence-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { until } from '../../fixtures/until.js';

const workers = ['remote', 'storage', 'api', 'log', 'poller'] as const;

const faults: readonly (readonly [Exclude<Fault, 'allocate' | 'spin'>, string])[] = [
  ['kill', 'killed'],
  ['stall', 'hung'],
  ['flood', 'flooding'],
];

function pidOf(daemon: RunningDaemon, worker: string): number {
  const found = descendants(daemon.pid).find(({ command }) => command.includes(`workers/${worker}`));
  if (found === undefined) throw new Error(`the daemon has no process for ${worker}`);
  return found.pid;
}

async function hit(daemon: RunningDaemon, worker: string, fault: (typeof faults)[number][0]): Promise<void> {
  const pid = pidOf(daemon, worker);
  if (fault === 'kill') process.kill(pid, 'SIGKILL');
  else await runInside(pid, faultCode[fault]);
}

describe('a sequence with broken workers', () => {
  for (const [fault, words] of faults) {
    it(`finishes with each worker in turn ${words}, and sends a command to every server`, async () => {
      // The first server waits for it, so that the sequence still runs at the last fault.
      const go = join(temporaryFolder(), 'go');
      const site = await SequenceSite.start({ before: `until [ -e ${go} ]; do sleep 0.1; done` });
      const daemon = await site.daemon();
      try {
        const seen = () => journalRecords(daemon.directory).map(recordName);
        site.trigger();
        await until(seen, (names) => names.includes('stepBegan remote_servers/one'));
        // The first: the whole work on the server starts again with the new worker.
        for (const worker of workers) {
          await hit(daemon, worker, fault);
          // One debugger at a time: all processes open theirs on the same port.
          await daemon.logged(`lost the worker ${worker}`);
        }
        writeFileSync(go, '');
        const names = await until(seen, (list) => list.includes('over'));
        expect(site.commanded().one, 'one').to.be.within(1, 2);
        expect(site.commanded().two, 'two').to.equal(1);
        expect(daemon.powerOffs()).to.have.length(1);
        const failed = journalRecords(daemon.directory).filter(
          (record) => record.kind === 'stepEnded' && record.outcome.kind === 'failed',
        );
        expect(failed, 'steps that failed').to.deep.equal([]);
        // Two servers and the host; after FSD the wait is skipped, and so is the try.
        const done = names.filter((name) => /^stepEnded (?!.*\/(?:off|again)$)/.test(name));
        expect(done).to.have.length(3);
      } finally {
        await daemon.stop();
        await site.stop();
      }
    });
  }
});
