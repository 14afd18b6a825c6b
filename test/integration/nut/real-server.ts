// The server of the transport suite as a real upsd with a dummy-ups.
import type { Certificate } from '../../fixtures/certificates.js';
import { RealUpsd } from '../../fixtures/real-upsd.js';
import type { SuiteServer } from './transport-suite.js';
import { suiteUps } from './transport-suite.js';

/** Data are stale after two seconds without the driver. */
const maxAgeSeconds = 2;

export async function startRealServer(tls?: Certificate): Promise<SuiteServer> {
  const { name } = suiteUps;
  const readings = new Map<string, string>(Object.entries(suiteUps.variables));
  const upsd = await RealUpsd.start({
    ups: { [name]: devOf(readings) },
    maxAgeSeconds,
    ...(tls === undefined ? {} : { tls }),
  });
  return {
    host: upsd.host,
    port: upsd.port,
    change: (variable, value) => {
      readings.set(variable, value);
      return upsd.rewrite(name, devOf(readings));
    },
    loseDriver: () => upsd.killDriver(name),
    returnDriver: () => upsd.startDriver(name),
    freezeDriver: () => Promise.resolve(upsd.freezeDriver(name)),
    thawDriver: () => Promise.resolve(upsd.thawDriver(name)),
    stopServer: () => upsd.stopServer(),
    startServer: () => upsd.startServer(),
    stop: () => upsd.stop(),
  };
}

/** A .dev file: values in quotes, escaped as NUT's own parser reads them. */
function devOf(readings: ReadonlyMap<string, string>): string {
  const lines = [...readings].map(([name, value]) => `${name}: "${value.replace(/["\\]/g, '\\$&')}"\n`);
  return lines.join('');
}
