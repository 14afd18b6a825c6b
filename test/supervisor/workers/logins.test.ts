import { expect } from 'chai';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { earlyLogins } from '../../../supervisor/workers/logins.js';
import { planPhase, planStep, planWith, remoteWork } from '../../fixtures/plans.js';
import { configurationFrom, office } from '../config/loading.js';

const server = (name: string, more: string) =>
  `[[ups.remote_servers]]\nname = "${name}"\nhost = "${name}.example"\nuser = "root"\n${more}`;

describe('the logins that begin with a sequence', () => {
  it('are in the order of the commands, and as many at once as the plan shuts down together', () => {
    const text = `${office}is_local = true
[ups.filesystems]
sync_enabled = true
${server('last', 'shutdown_order = 3\n')}
${server('a', 'shutdown_order = 2\n')}
${server('b', 'shutdown_order = 2\n')}
${server('first', 'shutdown_order = 1\n')}
${server('soon', 'when = "with_local"\nshutdown_order = 1\n')}
${server('late', 'when = "with_local"\nshutdown_order = 9\n')}`;
    const [plan] = plansOf(configurationFrom(text));
    expect(plan && earlyLogins(plan)).to.deep.equal({
      servers: ['soon', 'first', 'a', 'b', 'last', 'late'],
      atOnce: 2,
    });
  });

  it('are none to a host delegate, which is logged in to several times in its phases', () => {
    const step = (server: string, final: string | null) =>
      planStep(server, { action: { kind: 'remote', work: { ...remoteWork(server), final } } });
    const plan = planWith([planPhase('remote_servers', [step('host', null), step('nas', 'poweroff')])]);
    expect(earlyLogins(plan).servers).to.deep.equal(['nas']);
  });

  it('are none where nothing is shut down over SSH', () => {
    const [plan] = plansOf(configurationFrom(`${office}is_local = true\n`));
    expect(plan && earlyLogins(plan)).to.deep.equal({ servers: [], atOnce: 0 });
  });
});
