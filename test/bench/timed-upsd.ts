// A simulated upsd that knows when it was polled: the moment from which a reaction to FSD is measured.
import { startSimulatedUpsd } from '../../scripts/simulated-upsd/server.js';
import { isAbove, until } from '../fixtures/until.js';

export interface TimedUpsd {
  readonly port: number;
  /** Sets FSD; Unix time in ms of the poll that reads it. */
  readonly forceShutdown: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** With one UPS `office`. */
export async function startTimedUpsd(): Promise<TimedUpsd> {
  let polledAtMs = NaN;
  const upsd = await startSimulatedUpsd({
    ups: [{ name: 'office', noise: 0 }],
    onQuery: ([word, kind]) => {
      if (word === 'LIST' && kind === 'VAR') polledAtMs = performance.timeOrigin + performance.now();
    },
  });
  return {
    port: upsd.port,
    forceShutdown: () => {
      const before = polledAtMs;
      upsd.ups('office').set({ fsd: true });
      return until(() => polledAtMs, isAbove(before));
    },
    stop: () => upsd.stop(),
  };
}
