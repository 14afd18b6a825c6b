// A simulated upsd with some hundred UPSes in a process of its own, which remembers when each was asked.
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { SimulatorAnswers, SimulatorOrders } from './messages.js';
import { serveOrders } from './messages.js';

const arrivals = new Map<string, number[]>();
/** Heard at the next poll of a UPS. */
const awaited = new Map<string, (atMs: number) => void>();
let upsd: SimulatedUpsd | undefined;

serveOrders<SimulatorOrders, SimulatorAnswers>({
  serve: async ({ names }) => {
    for (const name of names) arrivals.set(name, []);
    upsd = await startSimulatedUpsd({
      ups: names.map((name, seed) => ({ name, seed: seed + 1 })),
      onQuery: ([verb, kind, ups = '']) => {
        if (verb !== 'LIST' || kind !== 'VAR') return;
        // Wall time with the resolution of the monotonic clock: what the power-off script writes down, too.
        const nowMs = performance.timeOrigin + performance.now();
        arrivals.get(ups)?.push(nowMs);
        awaited.get(ups)?.(nowMs);
      },
    });
    return { port: upsd.port };
  },
  arrivals: () => {
    const byUps = [...arrivals].map(([ups, times]) => [ups, times.splice(0)] as const);
    return Promise.resolve({ byUps });
  },
  fsd: ({ ups, on }) => {
    upsd?.ups(ups).set({ fsd: on });
    if (!on) return Promise.resolve({ askedAtMs: NaN });
    return new Promise((resolve) => {
      awaited.set(ups, (askedAtMs) => {
        awaited.delete(ups);
        resolve({ askedAtMs });
      });
    });
  },
});
