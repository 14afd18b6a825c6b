import { expect } from 'chai';
import { Random } from './random.js';
import type { Configuration } from '../../supervisor/config/configuration/configuration.js';
import { plansOf } from '../../supervisor/config/derive/plans.js';
import { configurationFrom, office } from '../supervisor/config/loading.js';
import type { Choose, Mode } from '../supervisor/throwing-engine.js';
import { ThrowingSite } from '../supervisor/throwing-engine.js';

/** A campaign on processors that other tests use: only one that hangs is ended. */
const limitMs = 15 * 60_000;

const triggers = '[triggers]\non_battery_stabilization_delay = 0\nconfirmations = 1\n';
const poweroff = '[local_shutdown]\ncommand = ["off"]\n';
const server = (name: string, order = 10): string =>
  `[[ups.remote_servers]]\nname = "${name}"\nhost = "${name}.example"\nuser = "root"\nshutdown_order = ${String(order)}\n`;

function hostOf(text: string): Configuration {
  return { ...configurationFrom(`${text}${triggers}${poweroff}`), inContainer: false };
}

/** A sync, a server, a sync, the power-off. */
const short = hostOf(`${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n${server('nas')}`);
/** Two groups that shut down together: one with this host and many servers, and one that it drains. */
const long = hostOf(
  `${office}is_local = true\ncheck_interval = 1\nvalue_hold = 0\n` +
    Array.from({ length: 12 }, (_, place) => server(`s${String(place)}`, 10 * (1 + (place % 3)))).join('') +
    `[[ups]]\nname = "lab@127.0.0.1"\ncheck_interval = 1\nvalue_hold = 0\n${server('lab-1')}${server('lab-2', 20)}`,
);

const low = { chargePercent: 5, runtimeSeconds: 3_000 };
const full = { chargePercent: 100, runtimeSeconds: 3_000 };

/**
 * Two outages with their returns of power, and the steps of each. `killedIn`: the second of the first outage at which
 * the daemon is killed.
 */
async function play(
  configuration: Configuration,
  mode: Mode,
  throws: Choose,
  killedIn?: number,
): Promise<{ readonly site: ThrowingSite; readonly outages: readonly (readonly string[])[] }> {
  const site = new ThrowingSite(configuration, mode, throws);
  const outages: string[][] = [];
  for (const number of [0, 1]) {
    await site.pass(2, 'OL', full);
    const before = site.done.length;
    if (number === 0 && killedIn !== undefined) {
      await site.pass(killedIn, 'OB', low);
      site.restart();
    }
    await site.pass(8, 'OB', low);
    outages.push(site.done.slice(before));
  }
  await site.pass(2, 'OL', full);
  return { site, outages };
}

/** The steps of the plans that always run, by id; programs by name. */
function everyStep(configuration: Configuration): readonly string[] {
  const steps = plansOf(configuration)
    .flatMap(({ phases }) => phases.flatMap((phase) => phase.steps))
    // Skipped while every server got its command.
    .filter(({ action }) => action.kind !== 'commandAgain');
  return [...new Set(steps.map(({ id, action }) => (action.kind === 'poweroff' ? 'off' : id)))];
}

/** The number of calls when none throws. */
async function callsOf(configuration: Configuration, killedIn?: number): Promise<number> {
  const { site } = await play(configuration, 'before', () => false, killedIn);
  return site.calls.length;
}

function missing(configuration: Configuration, done: readonly string[]): readonly string[] {
  return everyStep(configuration).filter((id) => !done.includes(id));
}

describe('the path from a reading to the power-off, with calls that throw', () => {
  it('includes every collaborator', async () => {
    const { site, outages } = await play(short, 'before', () => false);
    const called = [...new Set(site.calls)].sort();
    expect(called).to.include.members([
      'clock.monotonicMs',
      'journals.write',
      'observer.stepped',
      'timer.setTimer',
    ]);
    expect(called).to.include.members([
      'command.run',
      'journals.begin',
      'performers.remote',
      'snapshot.write',
    ]);
    for (const done of outages) expect(missing(short, done)).to.deep.equal([]);
    expect(outages[0]?.filter((one) => one === 'off')).to.have.length(2);
  });

  for (const mode of ['before', 'after', 'rejects'] as const) {
    it(`runs every step in both outages, with each call in turn failing ${mode}`, async function () {
      this.timeout(limitMs);
      const calls = await callsOf(short);
      for (let number = 1; number <= calls; number += 1) {
        const { site, outages } = await play(short, mode, (call) => call === number);
        const what = `call ${String(number)}, ${site.calls[number - 1] ?? ''}, ${mode}`;
        // A rejected promise comes after the effect.
        for (const done of outages) expect(missing(short, done), what).to.deep.equal([]);
        expect(site.decisions.isSequenceRunning, what).to.equal(false);
        expect(site.events, what).to.include('SHUTDOWN_SEQUENCE_COMPLETE');
      }
    });
  }

  it('runs every step when the daemon is also killed', async function () {
    this.timeout(limitMs);
    const calls = await callsOf(short, 1);
    for (let number = 1; number <= calls; number += 1) {
      const { site, outages } = await play(short, 'before', (call) => call === number, 1);
      const what = `call ${String(number)}, ${site.calls[number - 1] ?? ''}`;
      for (const done of outages) expect(missing(short, done), what).to.deep.equal([]);
      expect(site.decisions.isSequenceRunning, what).to.equal(false);
    }
  });

  for (const mode of ['before', 'after', 'rejects'] as const) {
    it(`runs every other step when one collaborator fails ${mode} at all its calls`, async function () {
      this.timeout(limitMs);
      const { site: sound } = await play(short, mode, () => false);
      const names = [...new Set(sound.calls)].filter((name) => name !== 'command.run');
      for (const broken of names) {
        const { site, outages } = await play(short, mode, (_, name) => name === broken);
        site.decisions.stop();
        // A call that always fails before its effect has none.
        const own = { 'performers.remote': 'remote_servers/', 'performers.sync': '/sync' }[broken];
        const expected = (id: string) => mode !== 'before' || own === undefined || !id.includes(own);
        for (const done of outages) expect(missing(short, done).filter(expected), broken).to.deep.equal([]);
        expect(site.decisions.isSequenceRunning, broken).to.equal(false);
      }
    });
  }

  it('powers the host off with calls that fail at random, in plans of several groups', async function () {
    this.timeout(limitMs);
    for (let seed = 0; seed < 60; seed += 1) {
      const random = new Random(seed);
      const share = random.pick([0.002, 0.02, 0.1]);
      const { site, outages } = await play(long, random.pick(['before', 'after', 'rejects']), () =>
        random.chance(share),
      );
      const what = `seed ${String(seed)}, ${String(share)} of ${String(site.calls.length)} calls`;
      for (const done of outages) expect(done, what).to.include('off');
      expect(site.decisions.isSequenceRunning, what).to.equal(false);
    }
  });
});
