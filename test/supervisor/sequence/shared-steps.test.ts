import { expect } from 'chai';
import { SimulatedJournals } from '../../simulation/journals.js';
import { ShutdownRecord } from '../../../supervisor/sequence/journal/record.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import { SharedSteps } from '../../../supervisor/sequence/shared-steps.js';
import { cause, planOf, server } from './several.js';

const moment = { atMs: 2, unixSeconds: 2 };
const unreached: StepOutcome = { kind: 'failed', how: 'unreachable', reason: 'no route', neverSent: true };

describe('the outcome of a server that another try has reached', () => {
  it('replaces the one in the record, until a shutdown in which it has none', async () => {
    const record = new ShutdownRecord(new SimulatedJournals(() => 'kept'));
    const shared = new SharedSteps(record);
    const decide = (group: string, ...servers: readonly string[]) => {
      const plan = planOf(
        group,
        servers.map((name) => server(name, group)),
        false,
      );
      record.decide([{ kind: 'decided', group, cause, plan, ...moment }], () => true);
      shared.decided();
    };
    const step = { group: 'lab', step: 'remote_servers/nas', ...moment };
    decide('lab', 'nas');
    record.write({ kind: 'stepBegan', ...step });
    record.write({ kind: 'stepEnded', ...step, outcome: unreached });
    const again = () =>
      shared.once(server('nas', 'office'), new AbortController().signal, () =>
        Promise.reject(new Error('twice')),
      );
    expect([shared.outcomeOf('nas'), await again()]).to.deep.equal([unreached, unreached]);
    shared.commanded('nas', { kind: 'done' });
    decide('office', 'db');
    expect([shared.outcomeOf('nas'), await again()]).to.deep.equal([{ kind: 'done' }, { kind: 'done' }]);
    for (const group of ['lab', 'office']) record.write({ kind: 'over', group, cancelled: null, ...moment });
    decide('lab', 'nas');
    expect(shared.outcomeOf('nas')).to.equal(undefined);
  });
});
