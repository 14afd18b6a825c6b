import { expect } from 'chai';
import { virtualMachinePerformer } from '../../../../supervisor/sequence/phases/virtual-machines.js';
import type { Program } from './local-rig.js';
import { fails, LocalRig, missing, ok } from './local-rig.js';

const uuid = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const action = { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 30 } as const;

interface Guest {
  readonly name: string;
  readonly hears: boolean;
  /** As `virsh domstate --reason` prints it; undefined: it runs. */
  readonly state?: string;
  /** The shutdown requests that libvirt refuses first. */
  readonly busy?: number;
  /** The requests that libvirt takes and the guest misses first. */
  readonly misses?: number;
  readonly undead?: boolean;
}

/** Guests that obey or ignore a shutdown request; `hang` names the virsh commands that never answer. */
class Hypervisor {
  readonly running: Map<string, Guest>;
  hang: readonly string[] = [];

  constructor(guests: readonly Guest[]) {
    this.running = new Map(guests.map((guest, n) => [uuid(n), guest]));
  }

  readonly virsh: Program = (line) => {
    const words = line.slice(line.indexOf('virsh') + 1);
    const rest = words[0] === '-c' ? words.slice(2) : words;
    const [verb = '', id = ''] = rest;
    if (this.hang.includes(verb)) return 'hangs';
    const guest = this.running.get(id);
    if (verb === 'list') {
      const stillOnly = rest.includes('--state-paused') && rest.includes('--state-other');
      const listed = [...this.running].filter(([, { state }]) => !stillOnly || state !== undefined);
      return ok(`${listed.map(([one, { name }]) => (stillOnly ? one : `${one} ${name}`)).join('\n')}\n\n`);
    }
    if (guest === undefined) return fails(`error: failed to get domain '${id}'`);
    if (verb === 'domstate') return ok(`${guest.state ?? 'running (booted)'}\n\n`);
    const { state: _, ...awake } = guest;
    if (verb === 'resume' || verb === 'dompmwakeup') {
      const word = verb === 'resume' ? 'paused' : 'pmsuspended';
      if (guest.state?.startsWith(word) !== true) return fails(`error: domain is not ${word}`);
      this.running.set(id, awake);
    }
    if (verb === 'shutdown') {
      if (guest.state?.startsWith('pmsuspended')) return fails('error: domain is pmsuspended');
      if (guest.busy !== undefined && guest.busy > 0) {
        this.running.set(id, { ...guest, busy: guest.busy - 1 });
        return fails('error: cannot acquire state change lock (held by remoteDispatchDomainBackupBegin)');
      }
      if (guest.misses !== undefined && guest.misses > 0)
        this.running.set(id, { ...guest, misses: guest.misses - 1 });
      else if (guest.hears && guest.state === undefined) this.running.delete(id);
    }
    if (verb === 'destroy' && guest.undead === true) return fails('error: Failed to terminate process: busy');
    if (verb === 'destroy') this.running.delete(id);
    return ok();
  };
}

function rig(...guests: Guest[]) {
  const hypervisor = new Hypervisor(guests);
  return { hypervisor, rig: new LocalRig(hypervisor.virsh) };
}

const destroyed = (names: string, seconds = 30) => ({
  kind: 'done',
  detail: `did not end within ${String(seconds)} s and were destroyed: ${names}`,
});

describe('the virtual machines of this host', () => {
  it('get a shutdown request concurrently, by UUID, and are waited for together', async () => {
    const { rig: machines } = rig({ name: 'a', hears: true }, { name: '-c "odd" $(x) é', hears: true });
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
    expect(machines.found[0]).to.include({ engine: 'libvirt', id: uuid(0), user: null });
    expect(machines.ran.filter((line) => line.includes('shutdown'))).to.deep.equal([
      `virsh shutdown ${uuid(0)}`,
      `virsh shutdown ${uuid(1)}`,
    ]);
    expect(machines.ran.some((line) => line.includes('destroy'))).to.equal(false);
  });

  it('are those of the configured connection', async () => {
    const { rig: machines } = rig();
    await machines.perform(virtualMachinePerformer, { ...action, uri: 'qemu:///system' }, 40);
    expect(machines.ran).to.deep.equal(['virsh -c qemu:///system list --uuid --name']);
  });

  it('that ignore the request for max_wait are destroyed, which is logged and reported', async () => {
    const { rig: machines } = rig({ name: 'deaf', hears: false }, { name: 'good', hears: true });
    const begun = machines.time.monotonicMs();
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal(destroyed('deaf'));
    expect((machines.time.monotonicMs() - begun) / 1000).to.be.within(30, 31);
    expect(machines.ran.filter((line) => line.includes('destroy'))).to.deep.equal([
      `virsh destroy ${uuid(0)}`,
    ]);
    expect(machines.warnings).to.deep.equal([
      'virtual machines that did not end within 30 s were destroyed: deaf',
    ]);
  });

  it('that survive the destroy are named', async () => {
    const { rig: machines } = rig({ name: 'undead', hears: false, undead: true });
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'still running: undead (exit status 1: error: Failed to terminate process: busy)',
    });
  });

  for (const state of [
    'paused',
    'paused (user)',
    'paused (starting up)',
    'paused (unknown)',
    'pmsuspended (unknown)',
  ])
    it(`that are ${state} are ${state.startsWith('pm') ? 'woken' : 'resumed'}, so that they can shut down`, async () => {
      const { rig: machines } = rig({ name: 'still', hears: true, state });
      expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
      expect(machines.ran.some((line) => line.includes('destroy'))).to.equal(false);
    });

  it('that miss the first request after they were woken are asked again', async () => {
    const { rig: machines } = rig({ name: 'still', hears: true, misses: 1, state: 'pmsuspended (unknown)' });
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
    expect(machines.ran.some((line) => line.includes('destroy'))).to.equal(false);
  });

  for (const reason of [
    'migrating',
    'saving',
    'dumping',
    'creating snapshot',
    'from snapshot',
    'I/O error',
    'post-copy failed',
  ])
    it(`that are paused (${reason}) are neither resumed nor destroyed, and named after max_wait`, async () => {
      const { rig: machines } = rig(
        { name: 'held', hears: true, state: `paused (${reason})` },
        { name: 'deaf', hears: false },
      );
      const begun = machines.time.monotonicMs();
      expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({
        kind: 'failed',
        how: 'failed',
        reason: `${destroyed('deaf').detail}; neither resumed nor destroyed: held (paused: ${reason})`,
      });
      expect((machines.time.monotonicMs() - begun) / 1000).to.be.within(30, 31);
      expect(machines.ran.filter((line) => line.includes(`domstate ${uuid(0)}`)).length).to.be.within(6, 7);
      expect(machines.ran.filter((line) => /resume|destroy/.test(line))).to.deep.equal([
        `virsh destroy ${uuid(1)}`,
      ]);
    });

  it('that took their request and are paused by a migration since are not destroyed', async () => {
    const { hypervisor } = rig({ name: 'moved', hears: false });
    const moving = new LocalRig((command) => {
      if (command.includes('shutdown'))
        hypervisor.running.set(uuid(0), { name: 'moved', hears: false, state: 'paused (migrating)' });
      return hypervisor.virsh(command);
    });
    expect(await moving.perform(virtualMachinePerformer, action, 40)).to.deep.include({
      reason: 'neither resumed nor destroyed: moved (paused: migrating)',
    });
    expect(moving.ran.some((line) => line.includes('destroy'))).to.equal(false);
  });

  it('that are held by work that ends in time shut down', async () => {
    const { rig: machines, hypervisor } = rig({
      name: 'saved',
      hears: true,
      state: 'paused (creating snapshot)',
    });
    const answers = hypervisor.virsh;
    let asked = 0;
    const freed = new LocalRig((command) => {
      if (command.includes('domstate')) asked += 1;
      const guest = hypervisor.running.get(uuid(0));
      if (asked === 3 && guest !== undefined) hypervisor.running.set(uuid(0), { name: 'saved', hears: true });
      return answers(command);
    });
    expect(await freed.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
    expect(freed.ran.some((line) => /destroy|resume/.test(line))).to.equal(false);
    expect(machines.ran).to.deep.equal([]);
  });

  it('that refuse are asked again every 5 s, and what they said is in the report', async () => {
    const { rig: patient } = rig({ name: 'busy', hears: true, busy: 3 });
    const begun = patient.time.monotonicMs();
    expect(await patient.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
    expect((patient.time.monotonicMs() - begun) / 1000).to.be.within(15, 17);
    const { rig: machines } = rig({ name: 'busy', hears: true, busy: 99 });
    const said =
      'exit status 1: error: cannot acquire state change lock (held by remoteDispatchDomainBackupBegin)';
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal(
      destroyed(`busy (busy: ${said})`),
    );
    expect(machines.warnings.join()).to.contain(`busy: ${said}`);
  });

  for (const state of ['paused (crashed)', 'crashed (panicked)', 'in shutdown (user)'])
    it(`that are ${state} and do not end are destroyed`, async () => {
      const { rig: machines } = rig({ name: 'dead', hears: true, state });
      expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal(destroyed('dead'));
      expect(machines.ran.filter((line) => /resume|destroy/.test(line))).to.deep.equal([
        `virsh destroy ${uuid(0)}`,
      ]);
    });

  it('cannot be listed while libvirt hangs: that fails within the budget', async () => {
    const { rig: machines, hypervisor } = rig({ name: 'a', hears: true });
    hypervisor.hang = ['list'];
    const outcome = await machines.perform(virtualMachinePerformer, action, 40);
    expect(outcome).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'could not list the virtual machines that run: did not end within its budget and was killed',
    });
  });

  it('are destroyed and named within the budget when libvirt hangs after the listing', async () => {
    const { rig: machines, hypervisor } = rig({ name: 'a', hears: true }, { name: 'b', hears: true });
    const answers = hypervisor.virsh;
    let listed = 0;
    const hanging = new LocalRig((command) => {
      if (command.includes('--name')) listed += 1;
      return listed > 1 || !command.includes('--name') ? 'hangs' : answers(command);
    });
    const outcome = await hanging.perform(virtualMachinePerformer, action, 40);
    expect(outcome).to.deep.equal({
      kind: 'failed',
      how: 'failed',
      reason: 'still running: a, b (did not end within its budget and was killed)',
    });
    expect(hanging.ran.filter((line) => line.includes('destroy'))).to.have.lengthOf(2);
    expect(machines.ran).to.deep.equal([]);
  });

  it('need virsh', async () => {
    const outcome = await new LocalRig(() => missing).perform(virtualMachinePerformer, action, 40);
    expect(outcome).to.include({
      reason: 'could not list the virtual machines that run: could not be started: not found',
    });
  });

  it('get most of a short budget, with its end reserved for the destroy', async () => {
    const { rig: machines } = rig({ name: 'deaf', hears: false });
    expect(await machines.perform(virtualMachinePerformer, action, 6)).to.deep.equal(destroyed('deaf', 4));
  });
});
