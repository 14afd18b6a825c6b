import { expect } from 'chai';
import { virtualMachinePerformer } from '../../../../supervisor/sequence/phases/virtual-machines.js';
import type { Program } from './local-rig.js';
import { fails, LocalRig, missing, ok } from './local-rig.js';

const uuid = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const action = { kind: 'stopVirtualMachines', uri: null, maxWaitSeconds: 30 } as const;

interface Guest {
  readonly name: string;
  readonly hears: boolean;
  readonly paused?: boolean;
  readonly undead?: boolean;
}

/** Guests that obey or ignore a shutdown request; `hang` names the virsh commands that never answer. */
class Hypervisor {
  readonly running: Map<string, Guest>;
  hang: readonly string[] = [];

  constructor(guests: readonly Guest[]) {
    this.running = new Map(guests.map((guest, n) => [uuid(n), guest]));
  }

  readonly virsh: Program = ([, ...words]) => {
    const rest = words[0] === '-c' ? words.slice(2) : words;
    const [verb = '', id = ''] = rest;
    if (this.hang.includes(verb)) return 'hangs';
    const guest = this.running.get(id);
    if (verb === 'list') {
      const pausedOnly = rest.includes('--state-paused');
      const listed = [...this.running].filter(([, { paused }]) => !pausedOnly || paused === true);
      return ok(`${listed.map(([one, { name }]) => (pausedOnly ? one : `${one} ${name}`)).join('\n')}\n\n`);
    }
    if (guest === undefined) return fails(`error: failed to get domain '${id}'`);
    if (verb === 'resume') this.running.set(id, { ...guest, paused: false });
    if (verb === 'shutdown' && guest.hears && guest.paused !== true) this.running.delete(id);
    if (verb === 'destroy' && guest.undead === true) return fails('error: Failed to terminate process: busy');
    if (verb === 'destroy') this.running.delete(id);
    return ok();
  };
}

function rig(...guests: Guest[]) {
  const hypervisor = new Hypervisor(guests);
  return { hypervisor, rig: new LocalRig(hypervisor.virsh) };
}

describe('the virtual machines of this host', () => {
  it('get a shutdown request concurrently, by UUID, and are waited for together', async () => {
    const { rig: machines } = rig({ name: 'a', hears: true }, { name: '-c "odd" $(x) é', hears: true });
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
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

  it('that ignore the request for max_wait are destroyed, which is logged', async () => {
    const { rig: machines } = rig({ name: 'deaf', hears: false }, { name: 'good', hears: true });
    const begun = machines.time.monotonicMs();
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
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

  it('that are paused are resumed, so that they can shut down', async () => {
    const { rig: machines } = rig({ name: 'paused', hears: true, paused: true });
    expect(await machines.perform(virtualMachinePerformer, action, 40)).to.deep.equal({ kind: 'done' });
    expect(machines.ran.some((line) => line.includes('destroy'))).to.equal(false);
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
    expect(await machines.perform(virtualMachinePerformer, action, 6)).to.deep.equal({ kind: 'done' });
  });
});
