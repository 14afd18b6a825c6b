// The log process: the only one that writes to standard error, the log file and syslog. None of them blocks its event loop.
import { fstatSync } from 'node:fs';
import { hostname } from 'node:os';
import { logContract } from '../../shared/protocol/log.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import { jsonLine } from './json.js';
import type { OutletFactories } from './log-router.js';
import { LogRouter } from './log-router.js';
import { descriptorOutlet } from './outlets/descriptor.js';
import { fileOutlet } from './outlets/file.js';
import { loggerChildOutlet } from './outlets/logger-child.js';
import { udpOutlet } from './outlets/udp.js';
import { facilityNumber, packet, prioritisedLine } from './syslog.js';
import { journalLine, textLine } from './text.js';

const standardError = 2;
/** RFC 3164's number of `daemon`, for a facility that was not validated. */
const daemonFacility = 3;
/** The part of the drain time that is reserved for the answer. */
const drainMs = 250;

/** Messages name the PID of the daemon, the parent of this process, because operators look for that one. */
const daemonPid = process.ppid;

const outlets: OutletFactories = {
  standardError: () => ({
    outlet: descriptorOutlet('standard error', standardError),
    forms: { text: underJournal() ? journalLine : textLine, json: jsonLine },
  }),
  file: (path) => ({ outlet: fileOutlet(path), forms: { text: textLine, json: jsonLine } }),
  syslog: (address, facilityName) => {
    const facility = facilityNumber(facilityName) ?? daemonFacility;
    if (address.startsWith('/')) {
      const form = prioritisedLine(facility, daemonPid);
      return { outlet: loggerChildOutlet(address, daemonPid), forms: { text: form, json: form } };
    }
    const form = packet(facility, hostname(), daemonPid);
    return { outlet: udpOutlet(address), forms: { text: form, json: form } };
  },
};

runWorker(logContract, (settings, { clock }) => {
  const book = new LogRouter(settings, outlets, clock);
  return Promise.resolve({
    requests: {
      'records.write': ({ records, dropped }) =>
        Promise.resolve({ ok: true, value: { dropped: book.write(records, dropped) } }),
      'tail.get': () => Promise.resolve({ ok: true, value: { lines: [...book.tail()] } }),
      'file.reopen': () => {
        book.reopenFile();
        return Promise.resolve({ ok: true, value: {} });
      },
    },
    reconfigure: (changed) => book.reconfigure(changed),
    drain: (deadlineMs) => book.close(Math.max(0, deadlineMs - drainMs)),
  });
});

/** systemd names the journal's socket by device and inode; standard error may have been redirected since. */
function underJournal(): boolean {
  const { dev, ino } = fstatSync(standardError, { bigint: true });
  return process.env.JOURNAL_STREAM === `${String(dev)}:${String(ino)}`;
}
