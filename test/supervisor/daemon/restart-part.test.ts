import { expect } from 'chai';
import { RestartPart } from '../../../supervisor/daemon/restart-part.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { configurationFrom, office, rack } from '../config/loading.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';

const minuteMs = 60_000;

function partOf(stepper: Stepper, open = new Set<string>()) {
  const time = new FakeTime();
  const known = { enabled: true, trouble: null as string | null, recovery: true, site: office };
  /** By the record of each group. */
  const counts = new Map([['a', 1]]);
  const kept: string[] = [];
  const recovery = {
    restarts: ([group]: readonly string[]) => counts.get(group ?? '') ?? null,
    countRestarts: (groups: readonly string[], number: number) =>
      kept.push(`${groups.join()} ${String(number)}`),
    untilSynced: (groups?: readonly string[]) => {
      kept.push(`until ${groups?.join() ?? 'all'}`);
      return Promise.resolve();
    },
  };
  const part = new RestartPart({
    clock: time,
    configuration: () => configurationFrom(`${known.site}[recovery]\nenabled = ${String(known.enabled)}\n`),
    engine: () => ({ state: stepper.state, trouble: known.trouble }),
    recovery: () => (known.recovery ? recovery : undefined),
    isInOutage: (group) => open.has(group),
  });
  return { part, time, known, counts, kept };
}

describe('what the daemon knows for a restart of its host', () => {
  it('is settled after 15 minutes on line power in one piece, and not while a sequence is open', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL'), 3);
    const open = new Set<string>();
    const { part, time } = partOf(stepper, open);
    expect(part.followLinePower('a')).to.equal(false);
    time.advance(14 * minuteMs);
    expect(part.followLinePower('a')).to.equal(false);
    time.advance(minuteMs);
    expect(part.followLinePower('a')).to.equal(true);
    stepper.polls('a', reading('OB'), 3);
    expect(part.followLinePower('a')).to.equal(false);
    stepper.polls('a', reading('OL'), 3);
    time.advance(15 * minuteMs);
    expect(part.followLinePower('a'), 'it begins again').to.equal(false);
    open.add('a');
    time.advance(15 * minuteMs);
    expect(part.followLinePower('a')).to.equal(false);
  });

  it('has the count of the record, and keeps one, where there is a record', async () => {
    const { part, known, kept } = partOf(new Stepper(settingsOf('ups a')));
    expect(part.count(['a'])).to.equal(1);
    await part.keep(['a', 'b'], 2);
    expect(kept).to.deep.equal(['a,b 2', 'until a,b']);
    known.recovery = false;
    expect(part.count(['a'])).to.equal(null);
    const refused = await part.keep(['a'], 2).then(
      () => null,
      (error: unknown) => String(error),
    );
    expect(refused).to.match(/nothing is recorded/);
  });

  it('counts what any group that powers this host off has had it do, and waits for no record of another', () => {
    const { part, known, counts } = partOf(new Stepper(settingsOf('ups a')));
    known.site = rack;
    counts.set('rack-a-nut1', 0);
    expect(part.count(['rack-a-nut1'])).to.equal(0);
    counts.set('rack-b-nut1', 2);
    expect(part.count(['rack-a-nut1'])).to.equal(2);
    expect(part.count(['office-127.0.0.1-3493']), 'its own cannot be read').to.equal(null);
    known.site = office;
    expect(part.count(['rack-a-nut1']), 'it is not configured any more').to.equal(0);
  });

  it('is enabled by the configuration, and in doubt by what policy has thrown', () => {
    const { part, known } = partOf(new Stepper(settingsOf('ups a')));
    expect([part.isEnabled(), part.isPolicyInDoubt()]).to.deep.equal([true, false]);
    Object.assign(known, { enabled: false, trouble: 'an exception' });
    expect([part.isEnabled(), part.isPolicyInDoubt()]).to.deep.equal([false, true]);
    expect(part.upses().map(({ isRead }) => isRead)).to.deep.equal([false]);
  });
});
