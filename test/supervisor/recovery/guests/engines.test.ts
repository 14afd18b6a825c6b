import { expect } from 'chai';
import type { RecordedGuest } from '../../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../../shared/domain/recovery/guest.js';
import { maxListingChars } from '../../../../supervisor/host/run-command.js';
import { startingEngine } from '../../../../supervisor/recovery/guests/engines.js';
import type { Program } from '../../sequence/phases/local-rig.js';
import { fails, LocalRig, ok } from '../../sequence/phases/local-rig.js';

const stopped = 1_790_000_000;
const date = new Date((stopped + 1) * 1000).toISOString();
const idOf = (number: number) => String(number).padStart(64, '0');
const container = (id: string): RecordedGuest => ({
  ...{ engine: 'docker', id, name: `name-${id}`, user: null },
  ...{ foundMs: 1, foundUnixSeconds: stopped, state: 'stopped', reason: '' },
});
const row = (id: string) =>
  JSON.stringify([
    [id, 'exited', '/x', [date, date], ['', '', '']],
    ['', '', ''],
  ]);

/** The kinds of verdicts in the order of the guests; or the fault of the engine. */
async function looked(
  guests: readonly RecordedGuest[],
  program: Program,
): Promise<readonly string[] | string> {
  const [first] = guests;
  const engine = first === undefined ? null : startingEngine(first, new LocalRig(program).tools, [null]);
  const found = await engine?.look(guests, new AbortController().signal);
  if (found?.ok !== true) return found?.fault ?? 'none';
  return guests.map((guest) => found.verdicts.get(guestKey(guest))?.kind ?? '');
}

describe('the look at the containers of an engine', () => {
  const guests = [1, 2, 3].map((number) => container(idOf(number)));
  const [, bad = ''] = guests.map(({ id }) => id);
  const named = (command: readonly string[]) =>
    guests.flatMap(({ id }) => (command.includes(id) ? [id] : []));

  it('has the others where the client fails for one', async () => {
    const kinds = await looked(guests, (command) => {
      if (command.includes('ps')) return ok(guests.map(({ id, name }) => `${id} ${name}\n`).join(''));
      if (command.includes(bad)) return fails(`Error: no such container ${bad}`);
      return ok(named(command).map(row).join('\n'));
    });
    expect(kinds).to.deep.equal(['start', 'stays', 'start']);
  });

  it('has the others where one says more than is read', async () => {
    const kinds = await looked(guests, (command) => {
      if (command.includes('ps')) return ok(guests.map(({ id, name }) => `${id} ${name}\n`).join(''));
      const text = named(command).map((id) => (id === bad ? 'x'.repeat(maxListingChars) : row(id)));
      return ok(text.join('\n').slice(0, maxListingChars));
    });
    expect(kinds).to.deep.equal(['start', 'stays', 'start']);
  });

  it('asks also for what a list of thousands of containers has no place for', async () => {
    const kinds = await looked(guests, (command) => {
      if (command.includes('ps')) return ok(`${idOf(9)} other\n`.repeat(9_999).slice(0, maxListingChars));
      return ok(named(command).map(row).join('\n'));
    });
    expect(kinds).to.deep.equal(['start', 'start', 'start']);
  });
});

describe('podman under systemd', () => {
  const outside = (program: Program) =>
    new LocalRig(program, { mountsPrefix: ['nsenter', '--mount=/proc/1/ns/mnt', '--'] });
  const unitOf = (line: string | undefined) =>
    /^systemd-run .*--unit=(ridethrough-start-[0-9a-f-]+\.service) /.exec(line ?? '')?.[1] ?? '';

  it('is ended by systemd where it hangs, since its client is all that the daemon can end', async () => {
    const rig = outside(() => ok());
    const podman = startingEngine({ engine: 'podman', user: null }, rig.tools, []);
    await podman?.start(container(idOf(1)), new AbortController().signal);
    expect(rig.ran).to.have.lengthOf(1);
    expect(rig.ran[0]).to.match(/^systemd-run .*--property=RuntimeMaxSec=120 -- podman start 0+1$/);
  });

  it('is stopped at once in an outage, each by the name of its unit', async () => {
    const rig = outside((command) => (command.includes('start') ? 'hangs' : ok()));
    const podman = startingEngine({ engine: 'podman', user: null }, rig.tools, []);
    const outage = new AbortController();
    const starts = [1, 2].map(async (number) => podman?.start(container(idOf(number)), outage.signal));
    expect(rig.ran).to.have.lengthOf(2);
    outage.abort();
    await Promise.all(starts);
    const [first, second] = rig.ran.map(unitOf);
    expect(first).to.not.be.oneOf(['', second]);
    expect(rig.ran.slice(2)).to.deep.equal([
      `systemctl --no-block stop ${first ?? ''}`,
      `systemctl --no-block stop ${second ?? ''}`,
    ]);
  });

  it('that does not answer a look in time is stopped too, before it is asked again', async () => {
    const rig = outside((command) => (command.includes('ps') ? 'hangs' : ok()));
    const podman = startingEngine({ engine: 'podman', user: null }, rig.tools, []);
    const looking = podman?.look([container(idOf(1))], new AbortController().signal);
    await rig.time.pass(21_000);
    expect((await looking)?.ok).to.equal(false);
    expect(rig.ran[1]).to.equal(`systemctl --no-block stop ${unitOf(rig.ran[0])}`);
  });
});

describe('the look at the guests of libvirt', () => {
  const id = '00000000-0000-0000-0000-000000000001';
  const vm: RecordedGuest = { ...container(id), engine: 'libvirt', id };
  const withState =
    (state: string, disks = ' file   disk   vda   /a.qcow2\n'): Program =>
    (command) => {
      if (command.includes('--all')) return ok(`${id}\n`);
      if (command.includes('stat')) return ok('xfs\n');
      if (command.includes('domblklist')) return ok(disks);
      return ok(command.includes('domstate') ? `${state}\n` : '');
    };

  it('leaves one alone that libvirt knows to have been started since', async () => {
    expect(await looked([vm], withState('shut off (shutdown)'))).to.deep.equal(['start']);
    expect(await looked([vm], withState('shut off (migrated)'))).to.deep.equal(['over']);
    const ofOtherBoot = { ...vm, foundMs: null };
    expect(await looked([ofOtherBoot], withState('shut off (unknown)'))).to.deep.equal(['start']);
    expect(await looked([ofOtherBoot], withState('shut off (shutdown)'))).to.deep.equal(['over']);
  });

  it('starts none without a disk: what it boots from may be in use elsewhere', async () => {
    expect(await looked([vm], withState('shut off (shutdown)', '\n'))).to.deep.equal(['stays']);
  });

  it('starts none of which the state is not known: it may run elsewhere', async () => {
    const program: Program = (command) => {
      if (command.includes('--all')) return ok(`${id}\n`);
      return command.includes('domstate') ? fails('error: no connection') : ok(' file disk vda /a.qcow2\n');
    };
    expect(await looked([vm], program)).to.deep.equal(['stays']);
  });
});
