// The transport suite, with the simulated upsd.
import { startSimulatedUpsd } from '../../../scripts/simulated-upsd/server.js';
import type { VariableKind } from '../../../scripts/simulated-upsd/variable-kinds.js';
import type { Certificate } from '../../fixtures/certificates.js';
import type { SuiteServer } from '../nut/transport-suite.js';
import { nutTransportSuites, suiteUps } from '../nut/transport-suite.js';

const number: VariableKind = { description: 'A number', writable: true };
const text: VariableKind = { description: 'A text', writable: true, maxLength: 32 };

async function startSimulatedServer(tls?: Certificate): Promise<SuiteServer> {
  const { name, variables, login } = suiteUps;
  const start = (port: number) =>
    startSimulatedUpsd({
      ups: [
        {
          name,
          table: {
            variables: { ...variables, 'driver.name': 'simulated' },
            kinds: { 'battery.charge': number, 'ups.load': number, 'ups.mfr': text, 'ups.id': text },
            commands: { 'load.off': { description: 'Turn off the load immediately' } },
          },
        },
      ],
      users: [{ name: login.username, password: login.password, actions: ['SET'], instcmds: ['ALL'] }],
      port,
      ...(tls === undefined ? {} : { tls }),
    });
  let upsd = await start(0);
  const { host, port } = upsd;
  const set = (change: Parameters<ReturnType<typeof upsd.ups>['set']>[0]): Promise<void> =>
    Promise.resolve(upsd.ups(name).set(change));
  return {
    host,
    port,
    change: (variable, value) => set({ variables: { [variable]: value } }),
    loseDriver: () => set({ link: 'gone' }),
    returnDriver: () => set({ link: 'ok' }),
    freezeDriver: () => set({ link: 'stale' }),
    thawDriver: () => set({ link: 'ok' }),
    stopServer: () => upsd.stop(),
    startServer: async () => void (upsd = await start(port)),
    stop: () => upsd.stop(),
  };
}

nutTransportSuites('simulated', startSimulatedServer);
