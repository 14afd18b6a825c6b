import { RawClient } from '../../fixtures/raw-client.js';
import type { SimulatedUpsd, SimulatedUpsdOptions } from '../../../scripts/simulated-upsd/server.js';
import type { User } from '../../../scripts/simulated-upsd/users.js';
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';

export const users: readonly User[] = [
  { name: 'admin', password: 'secret', actions: ['SET', 'FSD'], instcmds: ['ALL'] },
  { name: 'primary', password: 'first', upsmon: 'primary' },
  { name: 'monitor', password: 'pass', upsmon: 'secondary' },
  { name: 'tester', password: 'test', instcmds: ['test.battery.start.quick'] },
];

export interface Rig {
  readonly start: (options?: Partial<SimulatedUpsdOptions>) => Promise<SimulatedUpsd>;
  /** A new connection to the server started last. */
  readonly client: () => Promise<RawClient>;
  /** The same, with a user's name and password already sent. */
  readonly user: (name: string, password: string) => Promise<RawClient>;
}

export function rig(): Rig {
  let upsd: SimulatedUpsd | undefined;
  let clients: RawClient[] = [];
  afterEach(async () => {
    for (const client of clients) client.close();
    clients = [];
    await upsd?.stop();
    upsd = undefined;
  });
  const client = async (): Promise<RawClient> => {
    const opened = await RawClient.connect(upsd?.port ?? 0);
    clients.push(opened);
    return opened;
  };
  return {
    start: async (options = {}) =>
      (upsd = await startSimulatedUpsd({ ups: [{ name: 'office', noise: 0 }], users, ...options })),
    client,
    user: async (name, password) => {
      const opened = await client();
      await opened.askAll(`USERNAME ${name}`, `PASSWORD ${password}`);
      return opened;
    },
  };
}
