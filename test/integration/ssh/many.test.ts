import { expect } from 'chai';
import type { RemoteTarget, TargetOutcome } from '../../../shared/protocol/remote.js';
import type { MisbehavingSshd } from '../../fixtures/misbehaving-sshd.js';
import { startLogin, startRaw } from '../../fixtures/misbehaving-sshd.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { accessTo, workOn } from './remote-parts.js';
import { RemoteProcess } from './remote-process.js';

describe('a shutdown of many servers', () => {
  it('sends each command in time while other servers hang in different ways', async () => {
    const sshd = await PrivateSshd.start();
    const hung: readonly MisbehavingSshd[] = await Promise.all([
      startRaw('silent'),
      startRaw('hangs in key exchange'),
      startLogin('hangs after login'),
      startLogin('sleeps'),
      startLogin('floods'),
    ]);
    const servers = Array.from({ length: 20 }, (_, index): RemoteTarget => {
      const access = accessTo(sshd, { server: `target-${String(index)}`, connectTimeoutMs: 20_000 });
      return { ...access, port: hung[index]?.port ?? sshd.port };
    });
    const worker = await RemoteProcess.start({ servers });
    try {
      await worker.request('prepare', {});
      const ended: string[] = [];
      const outcomes = servers.map(async ({ server }) => {
        const work = workOn({ server, final: `shutdown -h now ${server}`, commandTimeoutSeconds: 20 });
        const outcome = await worker.request<TargetOutcome>('target.shutdown', {
          run: 1,
          work,
          budgetMs: 40_000,
        });
        ended.push(server);
        return outcome;
      });
      const good = await Promise.all(outcomes.slice(hung.length));
      // None of the hanging servers has ended by then: the fastest of them ends with its command after 20 s.
      expect(ended).to.have.length(15);
      expect(good.filter(({ result, delivered }) => result === 'ok' && delivered)).to.have.length(15);
      expect(sshd.noted()).to.have.length(15);
      const bad = await Promise.all(outcomes.slice(0, hung.length));
      expect(bad.map(({ result }) => result)).to.deep.equal(Array(5).fill('timeout'));
      expect(worker.ended).to.equal(false);
    } finally {
      worker.stop();
      hung.forEach((server) => server.stop());
      await sshd.stop();
    }
  });
});
