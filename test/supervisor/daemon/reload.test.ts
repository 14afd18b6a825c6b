import { expect } from 'chai';
import type { Problem } from '../../../shared/domain/base/decode.js';
import type { Configuration, Loaded } from '../../../supervisor/config/configuration/configuration.js';
import type { Daemon } from '../../../supervisor/daemon/daemon.js';
import { Reloader } from '../../../supervisor/daemon/reload.js';
import { serviceManager } from '../../../supervisor/host/systemd.js';
import { until } from '../../fixtures/until.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';

/** The reload of a daemon without workers, from a file that is read on command of the test. */
function scripted() {
  const recorded: string[] = [];
  const waiting: ((loaded: Loaded) => void)[] = [];
  let reads = 0;
  let reopened = 0;
  const daemon = {
    configuration: configurationFrom(office),
    apply(next: Configuration) {
      this.configuration = next;
      return ['mqtt'];
    },
    reopenLog: () => void (reopened += 1),
    recorder: { record: ({ detail }: { detail: string }) => recorded.push(detail) },
    log: { error: () => undefined },
  };
  const reloading = new Reloader(
    () => {
      reads += 1;
      return new Promise((resolve) => waiting.push(resolve));
    },
    () => daemon as unknown as Daemon,
    serviceManager({}, new FakeTime()),
  );
  const answer = async (
    given: Configuration | readonly Problem[] = configurationFrom(office),
  ): Promise<void> => {
    const loaded: Loaded =
      'length' in given ? { ok: false, problems: given, warnings: [] } : { ok: true, configuration: given };
    await until(() => waiting.length > 0);
    waiting.shift()?.(loaded);
  };
  return { reloading, reads: () => reads, reopened: () => reopened, recorded, answer, daemon };
}

describe('a reload', () => {
  it('runs although the previous one failed by a bug', async () => {
    const configuration = configurationFrom(office);
    let applied = 0;
    // Everything that a reload uses of the daemon.
    const daemon = {
      configuration,
      apply: () => {
        applied += 1;
        if (applied === 1) throw new Error('a bug');
        return [];
      },
      reopenLog: () => undefined,
      recorder: { record: () => undefined },
      log: { error: () => undefined },
    } as unknown as Daemon;
    const reloading = new Reloader(
      () => Promise.resolve({ ok: true, configuration }),
      () => daemon,
      serviceManager({}, new FakeTime()),
    );
    const first = await reloading.reload('signal').catch((error: unknown) => error);
    expect(first).to.be.an.instanceOf(Error);
    expect((await reloading.reload('signal')).reloaded).to.equal(true);
  });

  describe('requested many times concurrently', () => {
    it('runs once and once more, and the record names each who requested it', async () => {
      const { reloading, reads, recorded, answer } = scripted();
      const asked = [reloading.reload('signal')];
      await Promise.resolve();
      for (let times = 0; times < 50; times += 1) asked.push(reloading.reload('signal'));
      asked.push(reloading.reload('user:alice'));
      await answer();
      await asked[0];
      await answer();
      await Promise.all(asked);
      expect(reads()).to.equal(2);
      expect(recorded).to.deep.equal([
        'signal: reload: ok, nothing has changed',
        'signal: reload: ok, nothing has changed',
        'user:alice: reload: ok, nothing has changed',
      ]);
    });

    it('reads the file again for the second run, because the file may have changed', async () => {
      const { reloading, answer, daemon } = scripted();
      const first = reloading.reload('signal');
      await Promise.resolve();
      const second = reloading.reload('local');
      await answer();
      expect((await first).applied).to.deep.equal([]);
      await answer(configurationFrom(`${office}[behavior]\ndry_run = true`));
      expect((await second).applied).to.deep.equal(['behavior.dry_run']);
      expect(daemon.configuration.dryRun).to.equal(true);
    });
  });

  it('tells a file that nobody could read from an invalid one', async () => {
    const problems = [{ path: '', message: 'config.toml could not be read within 30 s' }];
    const reports = [{ isUnread: true } as const, {}].map((how) => {
      const loaded: Loaded = { ok: false, problems, warnings: [], ...how };
      const { daemon } = scripted();
      const manager = serviceManager({}, new FakeTime());
      return new Reloader(
        () => Promise.resolve(loaded),
        () => daemon as unknown as Daemon,
        manager,
      ).reload('local');
    });
    const [unread, invalid] = await Promise.all(reports);
    expect(unread).to.include({ reloaded: false, isUnread: true });
    expect(invalid).to.not.have.property('isUnread');
  });

  it('names the workers that it restarted', async () => {
    const { reloading, answer } = scripted();
    const report = reloading.reload('signal');
    await answer();
    expect((await report).restartedWorkers).to.deep.equal(['mqtt']);
  });

  it('names the settings that need a restart until there was one', async () => {
    const { reloading, answer } = scripted();
    const moved = configurationFrom(`${office}[nut]\nmax_pollers = 2`);
    for (let times = 0; times < 2; times += 1) {
      const report = reloading.reload('signal');
      await answer(moved);
      expect((await report).restartRequired).to.deep.equal(['nut.max_pollers']);
    }
  });

  it('of an invalid file changes nothing and is recorded with the problems', async () => {
    const { reloading, answer, recorded, daemon } = scripted();
    const report = reloading.reload('user:alice');
    const before = daemon.configuration;
    await answer([{ path: 'api.port', message: 'expected a port' }]);
    expect(await report).to.include({ reloaded: false });
    expect(daemon.configuration).to.equal(before);
    expect(recorded).to.deep.equal(['user:alice: reload: failed: api.port: expected a port']);
  });

  it('opens the log file again by SIGHUP also where the file is invalid: a rotation has moved it', async () => {
    const { reloading, answer, reopened } = scripted();
    const problems = [{ path: 'api.port', message: 'expected a port' }];
    const byUser = reloading.reload('user:alice');
    await answer(problems);
    await byUser;
    expect(reopened()).to.equal(0);
    const bySignal = reloading.reload('signal');
    await answer(problems);
    await bySignal;
    expect(reopened()).to.equal(1);
    const applied = reloading.reload('local');
    await answer();
    await applied;
    expect(reopened()).to.equal(2);
  });
});
