import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { descendants } from '../../fixtures/processes.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { hasLength, isEmpty, until } from '../../fixtures/until.js';

describe('a fleet in one process of pollers', () => {
  const names = Array.from({ length: 68 }, (_, number) => `ups-${String(number)}`);

  it('polls every UPS again and again', async () => {
    const polls = new Map(names.map((name) => [name, 0]));
    const upsd = await startSimulatedUpsd({
      ups: names.map((name) => ({ name, noise: 0 })),
      onQuery: ([verb, kind, ups = '']) => {
        if (verb === 'LIST' && kind === 'VAR') polls.set(ups, (polls.get(ups) ?? 0) + 1);
      },
    });
    const toml = configurationFor({ port: upsd.port, ups: names.map((name) => ({ name })) });
    const daemon = await startDaemon({ toml });
    try {
      await daemon.seesAll();
      const seen = new Map(polls);
      await until(() => names.filter((name) => (polls.get(name) ?? 0) < (seen.get(name) ?? 0) + 3), isEmpty);
      // On a busy machine one may just be restarting.
      await until(
        () => descendants(daemon.pid).filter(({ command }) => command.includes('workers/poller')),
        hasLength(1),
      );
    } finally {
      await daemon.stop();
      await upsd.stop();
    }
  });
});
