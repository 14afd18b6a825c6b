// A simulated upsd with some hundred UPSes in its own process. Records when each is polled.
import type { SimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { SimulatorAnswers, SimulatorOrders } from './messages.js';
import { serveOrders } from './messages.js';

const arrivals = new Map<string, number[]>();
/** Called at the next poll of a UPS. */
const awaited = new Map<string, (atMs: number) => void>();
let upsd: SimulatedUpsd | undefined;

serveOrders<SimulatorOrders, SimulatorAnswers>({
  serve: async ({ names }) => {
    for (const name of names) arrivals.set(name, []);
    upsd = await startSimulatedUpsd({
      ups: names.map((name, seed) => ({ name, seed: seed + 1 })),
      onQuery: ([verb, kind, ups = '']) => {
        if (verb !== 'LIST' || kind !== 'VAR') return;
        // Wall time with the resolution of the monotonic clock, as the power-off script logs it.
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
