import { expect } from 'chai';
import { apiRoutes } from '../../supervisor/routes.js';
import type { RouteSources } from '../../supervisor/routes.js';
import { configurationFrom, withGroup } from './config/loading.js';

describe('what the API worker is told of a plan', () => {
  // Of all the sources, what a plan is drawn from.
  const sources = {
    decisions: { planOf: () => undefined },
    configuration: () => configurationFrom(withGroup),
    clock: { monotonicMs: () => 0 },
  } as unknown as RouteSources;
  const planFor = (group: string) => apiRoutes(sources).serve['plan.get']({ group });

  it('is one without phases for a member of a redundancy group', async () => {
    const outcome = await planFor('rack-a-nut1');
    expect(outcome).to.have.nested.property('value.plan.phases').that.deep.equals([]);
  });

  it('is that there is none for what is not configured', async () => {
    expect(await planFor('nobody')).to.have.nested.property('error.code', 'NOT_FOUND');
  });
});
