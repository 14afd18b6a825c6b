import { expect } from 'chai';
import type { Daemon } from '../../supervisor/daemon.js';
import { Reloading } from '../../supervisor/reloading.js';
import { serviceManager } from '../../supervisor/systemd.js';
import { FakeTime } from '../fixtures/fake-time.js';
import { configurationFrom, office } from './config/loading.js';

describe('a reload', () => {
  it('is tried although the one before it failed by a bug of ours', async () => {
    const configuration = configurationFrom(office);
    let applied = 0;
    // Of the daemon a reload uses no more than this.
    const daemon = {
      configuration,
      apply: () => {
        applied += 1;
        if (applied === 1) throw new Error('a bug');
      },
      reopenLog: () => undefined,
      recorder: { record: () => undefined },
      log: { error: () => undefined },
    } as unknown as Daemon;
    const reloading = new Reloading(
      () => Promise.resolve({ ok: true, configuration }),
      () => daemon,
      serviceManager({}, new FakeTime()),
    );
    const first = await reloading.reload('signal').catch((error: unknown) => error);
    expect(first).to.be.an.instanceOf(Error);
    expect((await reloading.reload('signal')).reloaded).to.equal(true);
  });
});
