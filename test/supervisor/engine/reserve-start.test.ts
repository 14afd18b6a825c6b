import { expect } from 'chai';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import { reportStart } from '../../../supervisor/engine/reserve-start.js';
import { idleLog, idleObserver } from '../../fixtures/idle-parts.js';
import { configurationFrom, withGroup } from '../config/loading.js';
import { ThrowingSite } from '../throwing-engine.js';
import { Bug, full, hostOf, low, nearlyLow, ofAll } from './unreadable-settings.js';

const why = 'decided by the reserve, since policy has thrown an exception';
const rack = configurationFrom(
  `${withGroup}remote_servers = [{ name = "nas", host = "nas", user = "root" }]\n` +
    '[triggers]\non_battery_stabilization_delay = 0\n',
);

/** The messages of starts in an outage in which policy throws. */
async function startsIn(bug: Bug, configuration: Configuration): Promise<readonly string[]> {
  const site = new ThrowingSite(bug.in(configuration, ofAll), 'before', () => false);
  await site.pass(2, 'OL', full);
  bug.isBroken = true;
  await site.pass(4, 'OB', nearlyLow);
  await site.pass(8, 'OB', low);
  return site.messages.flatMap(({ type, text }) => (type === 'SHUTDOWN_TRIGGERED' ? [text] : []));
}

describe('the message of a shutdown that the reserve starts', () => {
  it('has the words of any other start, with the label of the UPS', async () => {
    expect(await startsIn(new Bug(), hostOf())).to.deep.equal([
      `office@127.0.0.1:3493: shutdown begins. LOW_BATTERY: ${why}.`,
    ]);
  });

  it('names a redundancy group as the configuration does', () => {
    const texts: string[] = [];
    const observer = { ...idleObserver, notify: ({ detail }: { detail: string }) => void texts.push(detail) };
    const [settings] = rack.redundancyGroups.map(({ policy }) => policy);
    const cause = {
      trigger: 'QUORUM_LOST',
      why: `fewer than 1 left; ${why}`,
      firedAtUnixSeconds: 0,
    } as const;
    reportStart({ group: 'redundancy-rack-1', cause }, settings, { guard: new Guard(idleLog), observer });
    expect(texts).to.deep.equal([`rack-1: shutdown begins. fewer than 1 left; ${why}.`]);
  });

  it('is the reason alone where the words throw too', async () => {
    const bug = new Bug();
    const members = 'rack-a@nut1 LOW_BATTERY, rack-b@nut1 LOW_BATTERY';
    expect(await startsIn(bug, bug.inGroups(rack, 'minHealthy'))).to.include(
      `QUORUM_LOST: fewer than 1 left: ${members}; ${why}`,
    );
  });
});
