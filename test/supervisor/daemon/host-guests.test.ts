import { expect } from 'chai';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import type { HostGuestsDependencies } from '../../../supervisor/daemon/host-guests.js';
import { HostGuests } from '../../../supervisor/daemon/host-guests.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { configurationFrom, office } from '../config/loading.js';
import type { Program } from '../sequence/phases/local-rig.js';
import { LocalRig, missing, ok } from '../sequence/phases/local-rig.js';

const group = 'office-127.0.0.1-3493';
const stopped = 1_790_000_000;
const date = new Date(stopped * 1000).toISOString();
const idOf = (name: string) => Buffer.from(name).toString('hex').padEnd(64, '0');
const guests = ['db', 'web'].map((name): RecordedGuest => ({
  ...{ engine: 'docker', id: idOf(name), name, user: null },
  ...{ foundMs: null, foundUnixSeconds: stopped, state: 'stopped', reason: '' },
}));

/** A host on line power whose docker hangs at each start. */
const hanging: Program = (command) => {
  if (command.includes('ps')) return ok(guests.map(({ id, name }) => `${id} ${name}\n`).join(''));
  const rows = guests.map(({ id, name }) => [
    [id, 'exited', `/${name}`, [date, date], ['', '', '']],
    ['', '', ''],
  ]);
  if (command.includes('inspect')) return ok(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  if (command[0] !== 'docker') return missing;
  return command.includes('start') ? 'hangs' : ok();
};

describe('the guests of this host', () => {
  it('are not started any more once the daemon is told to end', async () => {
    const rig = new LocalRig(hanging);
    const settings = '[recovery]\nenabled = true\nboot_timeout = 0\nat_once = 1\n';
    const configuration = configurationFrom(`${office}is_local = true\n${settings}`);
    const ups = {
      ...{ policy: { groupId: group }, line: { kind: 'on' }, doubt: { acts: false }, fsd: { kind: 'none' } },
      readings: { last: { monotonicMs: Infinity } },
    };
    const state = { ups: [ups], upsIndex: new Map([[group, 0]]), groups: [], groupIndex: new Map() };
    const journal = { powerOff: { askedBy: new Set(), givenUp: false }, restart: null, of: () => undefined };
    const hostGuests = new HostGuests({
      ...{ ...rig.tools, log: idleLog, guard: new Guard(idleLog), configuration: () => configuration },
      ...{ engine: () => ({ state, journal }), record: () => undefined, soon: () => undefined },
      records: () => new Map([[group, { targets: [{ server: null, guests }] }]]),
    } as unknown as HostGuestsDependencies);
    const starts = () => rig.ran.filter((line) => line.startsWith('docker start')).length;
    hostGuests.tick();
    await rig.time.pass(2_000);
    expect(starts()).to.equal(1);
    hostGuests.end();
    for (let second = 0; second < 200; second += 1) {
      hostGuests.tick();
      await rig.time.pass(1_000);
    }
    expect(starts()).to.equal(1);
  });
});
