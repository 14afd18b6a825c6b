import { expect } from 'chai';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { configurationFrom, office } from '../config/loading.js';
import { ThrowingSite } from '../throwing-engine.js';

const text =
  '[triggers]\non_battery_stabilization_delay = 0\n[local_shutdown]\ncommand = ["off"]\n' +
  '[[ups.remote_servers]]\nname = "nas"\nhost = "nas.example"\nuser = "root"\n';
const isLocal = 'is_local = true\ncheck_interval = 1\n';

function hostOf(more = ''): Configuration {
  return { ...configurationFrom(`${office}${isLocal}${text}${more}`), inContainer: false };
}

const full = { chargePercent: 100, runtimeSeconds: 3_000 };
const nearlyLow = { chargePercent: 22, runtimeSeconds: 3_000 };
const low = { chargePercent: 18, runtimeSeconds: 3_000 };

/** A configuration that policy cannot read while `isBroken`; nobody else is hindered. */
class Bug {
  isBroken = false;

  in(configuration: Configuration, field: string): Configuration {
    const ups = configuration.ups.map((one) => ({ ...one, policy: this.#unreadable(one.policy, field) }));
    return { ...configuration, ups };
  }

  #unreadable<T extends object>(settings: T, field: string): T {
    const value = (settings as Record<string, unknown>)[field];
    const get = (): unknown => {
      const by = new Error().stack?.split('\n')[2] ?? '';
      if (this.isBroken && by.includes('/supervisor/policy/')) throw new Error(`policy cannot read ${field}`);
      return value;
    };
    return Object.defineProperty({ ...settings }, field, { get, enumerable: true });
  }
}

/** Every reading throws; ticks do not. */
const ofReadings = 'grace';
/** Ticks throw too. */
const ofAll = 'checkIntervalMs';

function siteWith(bug: Bug, configuration = hostOf(), field = ofReadings): ThrowingSite {
  return new ThrowingSite(bug.in(configuration, field), 'before', () => false);
}

const shutsDown = ['remote_servers/nas', 'off'];
const done = ({ done: all }: ThrowingSite) => all.filter((one) => shutsDown.includes(one));

describe('a daemon whose policy throws', () => {
  it('shuts down by the reserve, once, and says so once', async () => {
    const bug = new Bug();
    const site = siteWith(bug);
    await site.pass(2, 'OL', full);
    bug.isBroken = true;
    await site.pass(4, 'OB', nearlyLow);
    expect(done(site)).to.deep.equal([]);
    await site.pass(8, 'OB', low);
    expect(new Set(done(site))).to.deep.equal(new Set(shutsDown));
    expect(site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED')).to.have.length(1);
    expect(site.events.filter((type) => type === 'POLICY_EXCEPTION')).to.have.length(1);
    expect(site.decisions.state.ups[0]?.row.status).to.equal('OL');
  });

  it('does not shut down on line power, in an outage above the thresholds, or by what is read once', async () => {
    const bug = new Bug();
    const site = siteWith(bug);
    await site.pass(2, 'OL', full);
    bug.isBroken = true;
    await site.pass(60, 'OL', low);
    await site.pass(60, 'OB', nearlyLow);
    await site.pass(1, 'OB LB', nearlyLow);
    await site.pass(10, 'OL', nearlyLow);
    expect(done(site)).to.deep.equal([]);
  });

  it('does not take a UPS whose readings throw for silent', async () => {
    const bug = new Bug();
    const site = siteWith(bug);
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', full);
    bug.isBroken = true;
    await site.pass(60, 'OB', full);
    expect(done(site)).to.deep.equal([]);
    expect(site.events).to.not.include('CONNECTION_LOST');
  });

  it('is not ready from the first exception until ten minutes after the last', async () => {
    const bug = new Bug();
    const site = siteWith(bug);
    await site.pass(2, 'OL', full);
    expect(site.decisions.trouble).to.equal(null);
    bug.isBroken = true;
    await site.pass(1, 'OL', full);
    bug.isBroken = false;
    await site.pass(590, 'OL', full);
    expect(site.decisions.trouble).to.match(/reserve/);
    await site.pass(20, 'OL', full);
    expect(site.decisions.trouble).to.equal(null);
  });

  it('tells policy of its sequence when the steps succeed again, and starts no second one', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[behavior]\ndry_run = true\n'));
    await site.pass(2, 'OL', full);
    bug.isBroken = true;
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(8, 'OB', low);
    expect(site.events).to.include('SHUTDOWN_SEQUENCE_COMPLETE');
    bug.isBroken = false;
    const isTold = () => {
      const shutdown = site.decisions.state.ups[0]?.shutdown;
      return shutdown?.kind === 'fired' && shutdown.sequenceOver;
    };
    // Above its thresholds policy starts nothing itself.
    await site.pass(2, 'OB', nearlyLow);
    expect(isTold()).to.equal(true);
    await site.pass(30, 'OB', { ...low, chargePercent: 5 });
    expect(isTold()).to.equal(true);
    expect(site.events.filter((type) => type === 'SHUTDOWN_SEQUENCE_COMPLETE')).to.have.length(1);
    expect(done(site), 'a dry run runs nothing').to.deep.equal([]);
    await site.pass(5, 'OL', full);
    expect(site.decisions.state.ups[0]?.shutdown.kind).to.equal('armed');
    await site.pass(100, 'OL', full);
    await site.pass(40, 'OB', low);
    expect(site.events.filter((type) => type === 'SHUTDOWN_SEQUENCE_COMPLETE')).to.have.length(2);
  });

  it('starts no second sequence where policy decides the same when its steps succeed again', async () => {
    for (const seconds of [1, 8]) {
      const bug = new Bug();
      const site = siteWith(
        bug,
        hostOf('[behavior]\ndry_run = true\n[ups.triggers]\nconfirmations = 1\n'),
        ofAll,
      );
      await site.pass(2, 'OL', full);
      await site.pass(4, 'OB', nearlyLow);
      bug.isBroken = true;
      await site.pass(seconds, 'OB', low);
      bug.isBroken = false;
      await site.pass(1, 'OB', low);
      if (seconds === 1) site.restart();
      await site.pass(30, 'OB', low);
      const count = (type: string) => site.events.filter((one) => one === type).length;
      expect(count('SHUTDOWN_TRIGGERED'), 'of the reserve and of policy').to.equal(2);
      expect(count('SHUTDOWN_SEQUENCE_COMPLETE')).to.equal(1);
    }
  });

  it('does not start again what policy has started in this outage', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[behavior]\ndry_run = true\n'));
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(8, 'OB', low);
    bug.isBroken = true;
    await site.pass(30, 'OB', low);
    expect(site.events.filter((type) => type === 'SHUTDOWN_SEQUENCE_COMPLETE')).to.have.length(1);
  });

  it('goes on where a killed daemon was: its confirmations, and its sequence', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf('[behavior]\ndry_run = true\n'));
    bug.isBroken = true;
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(1, 'OB', low);
    site.restart();
    await site.pass(1, 'OB', { ...low, chargePercent: 17 });
    expect(site.events.filter((type) => type === 'SHUTDOWN_TRIGGERED')).to.have.length(1);
    await site.pass(3, 'OB', low);
    site.restart();
    await site.pass(30, 'OB', low);
    expect(site.events.filter((type) => type === 'SHUTDOWN_SEQUENCE_COMPLETE')).to.have.length(1);
    expect(site.events.filter((type) => type === 'POLICY_EXCEPTION')).to.have.length(1);
  });

  it('asks the reserve whether power is back before the first destructive step', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf());
    await site.pass(2, 'OL', full);
    await site.pass(4, 'OB', nearlyLow);
    bug.isBroken = true;
    await site.pass(5, 'OL', full);
    expect(site.decisions.state.ups[0]?.line.kind, 'what policy still believes').to.equal('outage');
    const [group] = site.decisions.state.ups.map(({ policy }) => policy.groupId);
    expect(site.decisions.isOutageOver(group ?? '')).to.equal(true);
  });

  it('powers nothing off with local_shutdown.enabled = false', async () => {
    const bug = new Bug();
    const site = siteWith(bug, disabled());
    await site.pass(2, 'OL', full);
    bug.isBroken = true;
    await site.pass(4, 'OB', nearlyLow);
    await site.pass(8, 'OB', low);
    expect(site.done).to.not.include('off');
  });

  it('handles a reload again whose step has thrown', async () => {
    const bug = new Bug();
    const site = siteWith(bug, hostOf(), 'groupId');
    bug.isBroken = true;
    await site.pass(2, 'OL', full);
    expect(site.decisions.state.ups).to.have.length(0);
    bug.isBroken = false;
    await site.pass(2, 'OL', full);
    expect(site.decisions.state.ups[0]?.row.status).to.equal('OL');
  });
});

function disabled(): Configuration {
  const configuration = hostOf();
  return { ...configuration, localShutdown: { ...configuration.localShutdown, enabled: false } };
}
