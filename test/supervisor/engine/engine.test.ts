import { expect } from 'chai';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { plansOf } from '../../../supervisor/config/derive/plans.js';
import { configurationFrom, office } from '../config/loading.js';
import { ThrowingSite } from '../throwing-engine.js';

const group = 'office-127.0.0.1-3493';
const lab = 'lab-127.0.0.1';
const low = { chargePercent: 5, runtimeSeconds: 3_000 };
const full = { chargePercent: 100, runtimeSeconds: 3_000 };

/** Counts every access to an object and its nested objects; an access for which `isDue` is true throws. */
function faulty<T extends object>(target: T, isDue: () => boolean, known = new WeakMap<object, object>()): T {
  const before = known.get(target);
  if (before !== undefined) return before as T;
  const proxy = new Proxy(target, {
    get: (_, key): unknown => {
      if (isDue()) throw new Error(`${String(key)} cannot be read`);
      const value = Reflect.get(target, key) as unknown;
      return typeof value === 'object' && value !== null ? faulty(value, isDue, known) : value;
    },
  });
  known.set(target, proxy);
  return proxy;
}

const oneGroup = configurationFrom(
  `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n[ups.filesystems]\nsync_enabled = false\n` +
    '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n[local_shutdown]\ncommand = ["off"]\n',
);

/** A site whose plan throws at access number `throwing`, counted from `arm`. */
function site(throwing: number) {
  const configuration = { ...oneGroup, inContainer: false };
  let accesses = 0;
  let isArmed = false;
  const isDue = () => {
    if (isArmed) accesses += 1;
    return isArmed && accesses === throwing;
  };
  // The plans of a configuration are cached: the engine gets these.
  const plans = plansOf(configuration) as Plan[];
  plans.splice(0, 1, ...plans.slice(0, 1).map((plan) => faulty(plan, isDue)));
  const played = new ThrowingSite(configuration, 'before', () => false);
  const arm = () => (isArmed = true);
  return { played, arm, accesses: () => accesses };
}

/** Two groups; while `breaks` is set, the start of the local one throws. */
function twoGroups() {
  const configuration = {
    ...configurationFrom(
      `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n[[ups]]\nname = "lab@127.0.0.1"\ncheck_interval = 1\nvalue_hold = 0\n` +
        '[[ups.remote_servers]]\nname = "lab-1"\nhost = "lab-1.example"\nuser = "root"\n' +
        '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n' +
        '[local_shutdown]\ncommand = ["off"]\ndrain_on_local_shutdown = false\n',
    ),
    inContainer: false,
  };
  let isBroken = false;
  const plans = plansOf(configuration) as Plan[];
  const own = plans.findIndex((plan) => plan.group === group);
  plans.splice(own, 1, ...plans.slice(own, own + 1).map((plan) => faulty(plan, () => isBroken)));
  const played = new ThrowingSite(configuration, 'before', () => false);
  return { played, breaks: (broken: boolean) => (isBroken = broken) };
}

async function outage(throwing: number) {
  const { played, arm, accesses } = site(throwing);
  await played.pass(2, 'OL', full);
  arm();
  await played.pass(8, 'OB', low);
  const first = [...played.done];
  await played.pass(3, 'OL', full);
  await played.pass(8, 'OB', low);
  return { played, first, second: played.done.slice(first.length), accesses: accesses() };
}

describe('the shutdown engine', () => {
  it('runs a sequence to its power-off when its start, its steps or its end throw', async () => {
    const { accesses } = await outage(0);
    expect(accesses).to.be.greaterThan(100);
    let resumed = 0;
    for (let throwing = 1; throwing <= accesses; throwing += 1) {
      const { played, first, second } = await outage(throwing);
      const what = `access ${String(throwing)} of ${String(accesses)}`;
      expect(first, what).to.include('off');
      expect(second, what).to.include('off');
      expect(played.decisions.mayEnd, what).to.equal(true);
      expect(played.decisions.isSequenceRunning, what).to.equal(false);
      if (played.events.includes('SHUTDOWN_RESUMED')) resumed += 1;
    }
    expect(resumed, 'starts that were found at the next tick').to.be.greaterThan(0);
  });

  it('resumes the journal of a lost start and starts no second journal', async () => {
    for (let throwing = 1; throwing <= 60; throwing += 1) {
      const { played } = await outage(throwing);
      const decided = played.journals.read().filter((entry) => (entry as JournalEntry).kind === 'decided');
      expect(decided).to.have.length(1);
      const offs = played.done.filter((action) => action === 'off');
      // In each outage the first power-off fails and is retried.
      expect(offs.length, `access ${String(throwing)}`).to.be.within(4, 5);
    }
  });

  it('records a lost start once, retries it at every tick, and runs it as soon as it succeeds', async () => {
    const { played, breaks } = twoGroups();
    await played.pass(2, 'OL', full);
    breaks(true);
    await played.pass(5, 'OB', low, group);
    expect(played.done).not.to.include('off');
    breaks(false);
    await played.pass(2, 'OB', low, group);
    expect(played.done).to.include('off');
    expect(played.events.filter((type) => type === 'SHUTDOWN_RESUMED')).to.have.length(1);
  });

  it('does not resume an ended sequence whose journal lacks the end, while it resumes a lost one', async () => {
    const { played, breaks } = twoGroups();
    await played.pass(2, 'OL', full);
    let lines = 0;
    // The header and the start of its step are written; their ends are not.
    played.fate = () => ((lines += 1) <= 2 ? 'kept' : 'lost');
    await played.pass(4, 'OB', low, lab);
    expect(played.events).to.include('SHUTDOWN_SEQUENCE_COMPLETE');
    await played.pass(5, 'OL', full);
    const commanded = played.done.filter((id) => id === 'remote_servers/lab-1').length;
    breaks(true);
    await played.pass(2, 'OB', low, group);
    breaks(false);
    await played.pass(2, 'OB', low, group);
    expect(played.done).to.include('off');
    expect(played.events.filter((type) => type === 'SHUTDOWN_RESUMED')).to.have.length(1);
    expect(played.done.filter((id) => id === 'remote_servers/lab-1')).to.have.length(commanded);
  });

  it('starts and shuts down when reading old journals throws', async () => {
    const { played } = site(0);
    played.journals.read = () => [{ name: 'sequence-office', header: faulty({}, () => true), records: [] }];
    await played.pass(2, 'OL', full);
    await played.pass(8, 'OB', low);
    expect(played.done).to.include('off');
  });

  it('loses only the input when policy throws', async () => {
    const played = new ThrowingSite(
      { ...configurationFrom(`${office}check_interval = 1\nvalue_hold = 0\n`), inContainer: false },
      'before',
      () => false,
    );
    await played.pass(2, 'OL', full);
    const before = played.decisions.rowOf(group);
    played.decisions.polled(group, { startedAt: 0, endedAt: 0, outcome: null as never });
    expect(played.decisions.rowOf(group)).to.equal(before);
    await played.pass(1, 'OB', full);
    expect(played.events).to.include('ON_BATTERY');
  });

  it('records the events of a sequence after the event that caused them', async () => {
    const { played } = await outage(0);
    const order = [
      'ON_BATTERY',
      'SHUTDOWN_TRIGGERED',
      'SHUTDOWN_PHASE_STARTED',
      'SHUTDOWN_SEQUENCE_COMPLETE',
    ];
    const places = order.map((type) => played.events.indexOf(type));
    expect(places).to.deep.equal([...places].sort((a, b) => a - b));
    expect(places).not.to.include(-1);
  });
});
