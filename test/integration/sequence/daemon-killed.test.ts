import { expect } from 'chai';
import { SequenceSite, journalRecords, recordName } from '../../fixtures/sequence-daemon.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { hasAtLeast, until } from '../../fixtures/until.js';

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

  beforeEach(async () => {
    site = await SequenceSite.start({ before: 'sleep 0.2' });
  });
  afterEach(async () => {
    await daemon.stop();
    await site.stop();
  });

  for (const moment of moments) {
    it(`resumes after "${moment}": every server gets its command, the host is powered off once`, async () => {
      daemon = await site.daemon();
      const { directory } = daemon;
      const seen = () => journalRecords(directory).map(recordName);
      site.trigger();
      await until(seen, (names) => names.includes(moment));
      await daemon.kill();
      const before = { names: seen(), powerOffs: daemon.powerOffs().length, ...site.commanded() };
      daemon = await site.daemon(directory);
      await until(seen, (names) => names.includes('over'));
      const { one, two } = site.commanded();
      expect(one, 'one').to.be.within(1, 2);
      expect(two, 'two').to.be.within(1, 2);
      for (const [name, times] of Object.entries({ one, two })) {
        if (before.names.includes(`stepEnded remote_servers/${name}`))
          expect(times, `${name} again`).to.equal(before[name as 'one' | 'two']);
      }
      const powerOffs = daemon.powerOffs().length;
      if (before.names.includes('tryEnded')) expect(powerOffs).to.equal(before.powerOffs);
      // Processes that the killed daemon started may still have run.
      else expect(powerOffs).to.be.within(1, 2);
      const wasOver = before.names.includes('over');
      const resumed = await until(
        () => events(daemon, 'SHUTDOWN_RESUMED'),
        (list) => list.length > 0 || wasOver,
      );
      expect(resumed).to.have.length(wasOver ? 0 : 1);
    });
  }

  it('ends the outage after a reboot with one DAEMON_RECOVERED, which lists what was done', async () => {
    daemon = await site.daemon();
    const { directory } = daemon;
    site.trigger();
    const seen = () => journalRecords(directory).map(recordName);
    await until(seen, (names) => names.includes('stepEnded remote_servers/one'));
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
