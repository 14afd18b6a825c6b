import { expect } from 'chai';
import { generateScenario } from '../generator/scenario.js';
import { expectedPlan } from './expected-plan.js';
import { Memory } from './memory.js';

/** A run whose site has a group. */
const withGroup = [...Array(20).keys()].findIndex((run) => generateScenario(1, run).site.groups.length > 0);

describe('the oracle', () => {
  it('goes back to what it doubted when the daemon goes back to an older snapshot', () => {
    const [rack] = generateScenario(1, withGroup).site.groups;
    if (rack === undefined) expect.fail('a world with a group');
    const memory = new Memory();
    memory.doubtful.add(rack.groupId);
    const kept = memory.copy();
    memory.doubtful.clear();
    const policies = { ups: [], groups: [rack] };
    expect([...kept.fittedTo(policies).doubtful]).to.deep.equal([rack.groupId]);
    expect([...memory.fittedTo(policies).doubtful]).to.deep.equal([]);
  });

  it('expects what comes after a server that begins with its phase no earlier', () => {
    const { site } = generateScenario(1, 1);
    const own = site.ups[0]?.policy ?? expect.fail('a world with a UPS');
    const server = {
      ...{
        owner: own.groupId,
        order: 10,
        connectSeconds: 1,
        commandSeconds: 1,
        marginSeconds: 0,
        actionSeconds: [],
      },
      ...{ offMs: null, haltSeconds: 30, behaviour: { kind: 'hangs-in-connect' as const } },
    };
    const ahead = (when: 'with_local' | 'after_local'): readonly string[] => {
      const servers = [
        { ...server, name: 's0', when: 'with_local' } as const,
        { ...server, name: 's1', when },
      ];
      const outputs = [{ ups: own.groupId, offDelaySeconds: 60, behaviour: 'cuts' } as const];
      const localShutdown = { ...site.localShutdown, enabled: true };
      const plant = { ...site.plant, servers, outputs };
      const policies = { ups: [own], groups: [] };
      const plan = expectedPlan({ ...site, plant, localShutdown }, policies, own.groupId, false);
      return plan.filter(({ isAhead }) => isAhead).map(({ key }) => key);
    };
    expect(ahead('with_local')).to.deep.equal(['server s0', 'server s1', 'off s0', 'off s1']);
    expect(ahead('after_local')).to.deep.equal(['server s0']);
  });
});
