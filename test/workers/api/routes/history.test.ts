import { expect } from 'chai';
import { readFailure } from '../../../../workers/api/history/read-pool.js';
import { ApiProblem } from '../../../../workers/api/http/problem.js';
import { events as eventsRoute } from '../../../../workers/api/routes/history.js';
import type { RouteContext } from '../../../../workers/api/routes/route-context.js';

describe('a history route', () => {
  it('refuses a client that would wait too long, and says when to come back', async () => {
    const error = { code: readFailure.busy, message: 'too many history queries at once' };
    const context = { history: { events: () => Promise.resolve({ ok: false, error }) } };
    const asked = { query: new URLSearchParams(), signal: new AbortController().signal };
    const thrown = await eventsRoute(context as unknown as RouteContext, asked).catch(
      (cause: unknown) => cause,
    );
    expect(thrown).to.be.instanceOf(ApiProblem);
    const { code, headers } = thrown as ApiProblem;
    expect([code, headers]).to.deep.equal(['STATS_UNAVAILABLE', { 'Retry-After': '2' }]);
  });
});
