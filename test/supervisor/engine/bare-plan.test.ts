import { expect } from 'chai';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { plansWithoutGaps } from '../../../supervisor/engine/bare-plan.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { configurationFrom, office } from '../config/loading.js';

const lab = '[[ups]]\nname = "lab@nut1"\n[[ups.remote_servers]]\nname = "box"\nhost = "box"\nuser = "root"\n';
const delegate =
  '[[ups.remote_servers]]\nname = "host"\nhost = "host"\nuser = "me"\nhost_delegate = true\n' +
  '[[ups.remote_servers.pre_shutdown_commands]]\naction = "sync"\n';
const off = '[local_shutdown]\ncommand = ["/sbin/shutdown", "-h", "now"]\nmessage = "bye"\n';

/** The plan of the office cannot be built. `own`: more of the office. */
function broken(more = '', own = ''): Configuration {
  const configuration = {
    ...configurationFrom(`${office}is_local = true\n${own}${lab}${off}${more}`),
    inContainer: false,
  };
  const ups = configuration.ups.map((one) => ({ ...one, resources: { ...one.resources } }));
  const [first] = ups;
  if (first === undefined) throw new Error('a UPS is configured');
  Object.defineProperty(first.resources, 'containers', {
    get: () => {
      throw new Error('no containers');
    },
  });
  return { ...configuration, ups };
}

function plansOf(configuration: Configuration): readonly Plan[] {
  return plansWithoutGaps(configuration, new Guard(idleLog));
}

const actionsOf = ({ phases }: Plan) => phases.flatMap(({ steps }) => steps.map(({ action }) => action));

describe('the plans of a configuration of which one cannot be built', () => {
  it('are the others, and the bare power-off for the group that ends in it', () => {
    const [host, box] = plansOf(broken());
    expect(host === undefined ? null : actionsOf(host)).to.deep.equal([
      { kind: 'poweroff', command: ['/sbin/shutdown', '-h', 'now', 'bye'], fallback: null },
    ]);
    expect(box?.phases.map(({ name }) => name)).to.deep.equal(['remote_servers']);
  });

  it('give shutdown its time before its message', () => {
    const configuration = broken();
    const localShutdown = { ...configuration.localShutdown, command: ['shutdown', '-h'] };
    const [host] = plansOf({ ...configuration, localShutdown });
    expect(host === undefined ? null : actionsOf(host)).to.deep.equal([
      { kind: 'poweroff', command: ['shutdown', '-h', 'now', 'bye'], fallback: null },
    ]);
  });

  it('power the host of a container off over its delegate, without its preparations', () => {
    const [host] = plansOf({ ...broken('', delegate), inContainer: true });
    const [step] = host?.phases[0]?.steps ?? [];
    if (step?.action.kind !== 'poweroffDelegate') throw new Error('the delegate powers the host off');
    const { server, actions, final } = step.action.work;
    expect([server, actions, final]).to.deep.equal(['host', [], 'sudo -n /sbin/shutdown -h now bye']);
    expect(step.budgetSeconds).to.be.greaterThan(0);
  });

  it('stay a dry run', () => {
    expect(plansOf(broken('[behavior]\ndry_run = true\n'))[0]?.dryRun).to.equal(true);
  });

  it('power nothing off with local_shutdown.enabled = false, or in a container without a delegate', () => {
    const configuration = broken();
    const { localShutdown } = configuration;
    for (const other of [{ localShutdown: { ...localShutdown, enabled: false } }, { inContainer: true }])
      expect(plansOf({ ...configuration, ...other })).to.have.length(1);
  });
});
