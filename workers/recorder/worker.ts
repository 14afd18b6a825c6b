// The recorder: writes the recovery record of each group to disk, and reads them after a boot. It is a process of its own, so that a
// disk that hangs stalls nothing else; it decides nothing, and knows nothing of what a record says.
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { recorderContract } from '../../shared/protocol/recorder.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { Records } from './records.js';

/** Parts of a recall follow each other at this rate, 4 MiB a second: the supervisor takes twice that for a flood. */
const bytesPerMs = 4_194;

runWorker(recorderContract, (settings, context) => {
  const recordsIn = (path: string): Records =>
    new Records({
      path,
      setAside: ({ file, reason }) =>
        context.log.warning(`${path} had something in the place of a record: it is now ${file}; ${reason}`),
    });
  let records = recordsIn(settings.directory);
  let nextPartMs = 0;
  // A network namespace of its own has no interface that is up.
  if (process.geteuid?.() === 0 && Object.keys(networkInterfaces()).length > 0)
    context.emit('network.kept', {});
  return Promise.resolve({
    requests: {
      'record.keep': (record) => records.keep(record),
      'record.setAside': ({ records: unused }) => records.setAside(unused),
      'record.recall': async ({ after }) => {
        const recalled = await records.recall(after);
        if (!('part' in recalled))
          return {
            ok: true,
            value: {
              records: [],
              setAside: [],
              locked: false,
              reason: recalled.reason.slice(0, 1024),
              next: null,
            },
          };
        const { bytes, ...part } = recalled.part;
        const waitMs = nextPartMs - context.clock.monotonicMs();
        if (waitMs > 0) await pause(waitMs);
        nextPartMs = context.clock.monotonicMs() + bytes / bytesPerMs;
        return { ok: true, value: { ...part, locked: true, reason: null } };
      },
    },
    reconfigure: ({ directory }) => {
      if (directory === records.path) return;
      void records.close();
      records = recordsIn(directory);
    },
    drain: () => records.close(),
  });
});
