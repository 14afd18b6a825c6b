import { expect } from 'chai';
import { Simulation } from './simulated.js';

describe('the memory of a process with members', () => {
  const isLostWith = async (members: number, megabytes: number) => {
    const simulation = new Simulation();
    for (let number = 1; number <= members; number += 1) simulation.startMember(`poller ${String(number)}`);
    simulation.newest.megabytes = megabytes;
    await simulation.pass(250);
    return simulation.losses.length === members;
  };

  it('has the limit of one worker when it has a single member', async () => {
    expect(await isLostWith(1, 199)).to.equal(false);
    expect(await isLostWith(1, 201)).to.equal(true);
  });

  it('has a limit that grows little with each member, so that 250 UPSes in one process are no leak', async () => {
    expect(await isLostWith(250, 600)).to.equal(false);
    expect(await isLostWith(250, 1000)).to.equal(true);
  });
});
