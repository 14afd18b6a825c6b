import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SequenceSite, journalRecords, recordName } from '../../fixtures/sequence-daemon.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { hasAtLeast, includes, until } from '../../fixtures/until.js';

/** Moments by their journal record. */
const moments = [
  'decided',
  'stepBegan remote_servers/one',
  'stepEnded remote_servers/one',
  'stepBegan remote_servers/two',
  'stepEnded remote_servers/two',
  'phaseEnded remote_servers',
  'stepBegan local_poweroff/host',
  'powerOffAsked',
  'tryBegan',
  'tryEnded',
  'stepEnded local_poweroff/host',
  'phaseEnded local_poweroff',
  'over',
] as const;

type Part = 'one' | 'two' | 'host';
/** The record after which a part does not run again. */
const ends: readonly (readonly [Part, string])[] = [
  ['one', 'stepEnded remote_servers/one'],
  ['two', 'stepEnded remote_servers/two'],
  ['host', 'tryEnded'],
];
const lookMs = 5;

interface Event {
  readonly eventType: string;
  readonly detail: string;
}

async function events(daemon: RunningDaemon, type: string): Promise<readonly Event[]> {
  const body = (await daemon.control('events?limit=100')) as { events: Event[] };
  return body.events.filter(({ eventType }) => eventType === type);
}

describe('a daemon that is killed during a sequence', () => {
  let site: SequenceSite;
  let daemon: RunningDaemon;

  /** While it exists, no server gets its final command. */
  let hold: string;

  beforeEach(async () => {
    hold = join(temporaryFolder(), 'hold');
    site = await SequenceSite.start({ before: `sleep 0.2; while [ -e ${hold} ]; do sleep 0.05; done` });
  });
  afterEach(async () => {
    await daemon.stop();
    await site.stop();
  });

  const seen = () => journalRecords(daemon.directory).map(recordName);
  const runs = () => ({ ...site.commanded(), host: daemon.powerOffs().length });

  it('resumes: every server gets its command, the host is powered off once, and one event says so', async () => {
    daemon = await site.daemon();
    const { directory } = daemon;
    writeFileSync(hold, '');
    site.trigger();
    await until(seen, includes('stepBegan remote_servers/one'));
    await daemon.killWithWorkers();
    rmSync(hold);
    daemon = await site.daemon(directory);
    await until(seen, includes('over'));
    expect(runs()).to.deep.equal({ one: 1, two: 1, host: 1 });
    expect(await until(() => events(daemon, 'SHUTDOWN_RESUMED'), hasAtLeast(1))).to.have.length(1);
  });

  it('again and again, at every kind of record, repeats nothing that ended and does everything', async () => {
    daemon = await site.daemon();
    const { directory } = daemon;
    const ran = new Map<Part, number>();
    site.trigger();
    for (const moment of moments) {
      // The daemon may write several records until it is killed.
      if (seen().includes(moment)) continue;
      await until(seen, includes(moment), undefined, lookMs);
      await daemon.kill();
      const [written, counts] = [seen(), runs()];
      daemon = await site.restarted(directory);
      for (const [part, end] of ends)
        if (written.includes(end)) {
          if (!ran.has(part)) ran.set(part, counts[part]);
          expect(counts[part], `${part}, killed at "${moment}"`).to.equal(ran.get(part));
        }
    }
    await daemon.ready();
    for (const [part, times] of ran) {
      // What ran when it was killed may run again.
      expect(times, part).to.be.within(1, 2);
      expect(runs()[part], part).to.equal(times);
    }
    expect([...ran.keys()]).to.deep.equal(ends.map(([part]) => part));
  });

  it('ends the outage after a reboot with one DAEMON_RECOVERED, which lists what was done', async () => {
    daemon = await site.daemon();
    const { directory } = daemon;
    const { one } = site.servers;
    // The second server waits from the command of the first on: the daemon is killed before its turn, however late.
    one.tool('shutdown', `touch ${hold}; echo "$(date +%s.%N) shutdown $*" >>${one.notes}`);
    site.trigger();
    await until(seen, includes('stepEnded remote_servers/one'));
    await daemon.kill();
    site.upsd.ups('office').set({ fsd: false });
    daemon = await site.daemonAfterBoot(directory);
    const [recovered] = await until(() => events(daemon, 'DAEMON_RECOVERED'), hasAtLeast(1));
    expect(recovered?.detail).to.match(/a shutdown stopped the machine: .*remote_servers\/one done/);
    expect(daemon.powerOffs()).to.deep.equal([]);
    expect(journalRecords(directory)).to.deep.equal([]);
    for (const type of ['DAEMON_START', 'DAEMON_AFTER_CRASH', 'SHUTDOWN_RESUMED'])
      expect(await events(daemon, type), type).to.have.length(type === 'DAEMON_START' ? 1 : 0);
  });
});
