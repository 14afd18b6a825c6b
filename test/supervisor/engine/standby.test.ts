import { expect } from 'chai';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import type { Input } from '../../../supervisor/policy/base/inputs.js';
import { configurationFrom, withGroup } from '../config/loading.js';
import { reading, settingsOf } from '../policy/stream.js';
import { ThrowingSite } from '../throwing-engine.js';
import { at, standbyWith, unreadable } from './bare-standby.js';
import {
  Bug,
  done,
  full,
  hostOf,
  low,
  nearlyLow,
  ofAll,
  ofReadings,
  shutsDown,
  siteWith,
} from './unreadable-settings.js';

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

  it('shuts down where polls fail after a reading on battery that threw, also where nothing makes up for it', async () => {
    for (const readers of [undefined, /\/supervisor\/policy\/|lost-reading/]) {
      const bug = new Bug(readers);
      const site = siteWith(bug, hostOf(), 'triggers');
      await site.pass(2, 'OL', full);
      bug.isBroken = true;
      await site.pass(4, 'OB', full);
      bug.isBroken = false;
      const line = readers === undefined ? 'outage' : 'mains';
      expect(site.decisions.state.ups[0]?.line.kind).to.equal(line);
      await site.pass(60, 'WAIT', full);
      expect(done(site)).to.include('off');
    }
  });

  it('shuts down after a restart by what readings that threw have shown, when nothing is read any more', async () => {
    for (const readers of [undefined, /\/supervisor\/policy\/|lost-reading/]) {
      const bug = new Bug(readers);
      const site = siteWith(bug, hostOf(), 'triggers');
      await site.pass(2, 'OL', full);
      bug.isBroken = true;
      await site.pass(4, 'OB', full);
      bug.isBroken = false;
      site.restart();
      await site.pass(60, 'WAIT', full);
      expect(done(site)).to.include('off');
    }
  });

  it('does not take the power for back by the reading before the one that starts its sequence', async () => {
    const bug = new Bug();
    const site = siteWith(bug);
    bug.isBroken = true;
    await site.pass(4, 'FSD OL', full);
    bug.isBroken = false;
    await site.pass(8, 'FSD OB', full);
    expect(done(site)).to.include('off');
  });

  it('starts none after what a daemon began that was killed before it noted it', () => {
    for (const isFound of [false, true]) {
      const started: string[] = [];
      const standby = standbyWith(started);
      const input = (given: Input): void => {
        standby.received(given);
        standby.handled(given, [], true);
      };
      standby.configure(settingsOf('ups a delay=0s'));
      const request = { trigger: 'LOW_BATTERY', why: 'charge 5 %' } as const;
      if (isFound)
        input({ kind: 'openSequenceFound', at: at(0), groupId: 'a', request, sinceUnixSeconds: 1 });
      standby.ended('a');
      for (let second = 1; second < 20; second += 1)
        input({ kind: 'polled', at: at(second), groupId: 'a', outcome: reading('OB LB', low) });
      expect(started).to.deep.equal(isFound ? [] : ['a']);
    }
  });

  it('decides when its memory can neither be read nor written', () => {
    const started: string[] = [];
    const standby = standbyWith(started, unreadable);
    standby.configure(settingsOf('ups a delay=0s'));
    const outcome = reading('OB LB', low);
    for (let second = 1; second < 20; second += 1) {
      const input = { kind: 'polled', at: at(second), groupId: 'a', outcome } as const;
      standby.received(input);
      standby.handled(input, [], true);
    }
    expect(started).to.deep.equal(['a']);
  });

  it('starts a group together with the sequence of a member that policy starts', () => {
    const started: string[] = [];
    const standby = standbyWith(started);
    const settings = settingsOf('ups a\nups b\ngroup rack members=a,b min=1');
    standby.configure({ ...settings, ups: settings.ups.map((one) => ({ ...one, advisory: false })) });
    const demanded = reading('OB FSD', full);
    const byPolicy = { group: 'a', cause: { trigger: 'FSD', why: 'FSD', firedAtUnixSeconds: 3 } } as const;
    const input = (given: Input, isLost: boolean): void => {
      standby.received(given);
      if (given.kind === 'polled' && given.groupId === 'a') standby.started([byPolicy]);
      standby.handled(given, [], isLost);
    };
    input({ kind: 'ticked', at: at(1) }, true);
    input({ kind: 'polled', at: at(2), groupId: 'b', outcome: demanded }, false);
    expect(started.splice(0)).to.deep.equal(['b']);
    input({ kind: 'polled', at: at(3), groupId: 'a', outcome: demanded }, false);
    expect(started).to.deep.equal(['redundancy-rack']);
  });

  it('counts a member on line power whose readings throw as healthy, until it is read or silent', async () => {
    const bug = new Bug();
    const rack = configurationFrom(
      `${withGroup}remote_servers = [{ name = "nas", host = "nas", user = "root" }]\n[triggers]\non_battery_stabilization_delay = 0\n`,
    );
    const [, a = '', b = ''] = rack.ups.map(({ policy }) => policy.groupId);
    const site = new ThrowingSite(bug.in(rack, ofReadings, 'rack-b@nut1'), 'before', () => false);
    const both = async (seconds: number, wordsOfB: string): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        site.report(b, wordsOfB, full);
        await site.pass(1, 'OB', low, a);
      }
    };
    bug.isBroken = true;
    await site.pass(100, 'OL', full, a);
    await both(60, 'OL');
    expect(done(site)).to.deep.equal([]);
    await both(60, 'WAIT');
    expect(done(site), 'in its grace period').to.deep.equal([]);
    await both(30, 'WAIT');
    expect(done(site)).to.deep.equal(['remote_servers/nas']);
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
