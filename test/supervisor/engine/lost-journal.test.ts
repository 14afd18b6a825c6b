import { expect } from 'chai';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { Boot, Life } from '../boots-with-note.js';

const office = 'office-127.0.0.1-3493';
const rack = 'rack-nut1';
const toml =
  '[[ups]]\nname = "office@127.0.0.1:3493"\ncheck_interval = 1\nvalue_hold = 0\nis_local = true\n' +
  '[[ups]]\nname = "rack@nut1"\ncheck_interval = 1\nvalue_hold = 0\n' +
  '[[ups.remote_servers]]\nname = "box"\nhost = "box"\nuser = "root"\n' +
  '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n[local_shutdown]\ncommand = ["off"]\n';

describe('a daemon that finds its decisions only in the snapshot', () => {
  it('powers this host off after the servers of all of them, with the reading of this host first', async () => {
    const boot = new Boot();
    for (const ups of [office, rack]) boot.ups.set(ups, 'OL');
    const life = new Life(boot, toml);
    await life.pass(2);
    boot.remote = () => new Promise(() => undefined);
    for (const ups of [rack, office]) {
      boot.ups.set(ups, 'OB');
      await life.pass(1);
    }
    life.kill();
    boot.journals.clear();
    boot.remote = () => Promise.resolve({ kind: 'done' });
    await new Life(boot, toml).pass(3);
    const entries = boot.journals.read() as readonly JournalEntry[];
    const box = entries.findIndex((entry) => entry.kind === 'stepEnded' && entry.step.endsWith('/box'));
    const off = entries.findIndex(({ kind }) => kind === 'powerOffAsked');
    expect(off).to.be.greaterThan(0);
    expect(box).to.be.within(1, off - 1);
  });
});
