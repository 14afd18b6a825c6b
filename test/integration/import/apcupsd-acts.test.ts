import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onLine, RealUpsd } from '../../fixtures/real-upsd.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';
import { Apcupsd, apcupsdProblem } from './apcupsd.js';

describe('the same outage for apcupsd and for the configuration that init made of its file', () => {
  for (const { directives, above, at, below } of [
    {
      directives: 'ONBATTERYDELAY 0\nBATTERYLEVEL 10\nMINUTES 5\n',
      above: { chargePercent: 11, runtimeMinutes: 60 },
      at: { chargePercent: 10, runtimeMinutes: 60 },
      below: { chargePercent: 9, runtimeMinutes: 60 },
    },
    {
      directives: 'ONBATTERYDELAY 0\nBATTERYLEVEL 10\nMINUTES 5\n',
      above: { chargePercent: 50, runtimeMinutes: 6 },
      at: { chargePercent: 50, runtimeMinutes: 5 },
      below: { chargePercent: 50, runtimeMinutes: 4 },
    },
  ])
    it(`acts one step of the gauge later, and init says so: ${JSON.stringify(at)}`, async function () {
      skipFor(this, apcupsdProblem());
      const upsd = await RealUpsd.start({ ups: { rack: onLine } });
      const apcupsd = await Apcupsd.start(directives);
      let daemon: RunningDaemon | undefined;
      try {
        const name = `rack@127.0.0.1:${String(upsd.port)}`;
        const { said, toml } = await imported(apcupsd, name);
        expect(said).to.contain(
          'apcupsd acts at the number itself; here below it: one step of the gauge later',
        );
        daemon = await startDaemon({ toml });
        await daemon.seesAll();
        const shows = async (values: typeof at): Promise<void> => {
          apcupsd.shows({ isOnBattery: true, ...values });
          const { chargePercent: charge, runtimeMinutes: minutes } = values;
          await upsd.rewrite(
            'rack',
            `ups.status: OB DISCHRG\nbattery.charge: ${String(charge)}\nbattery.runtime: ${String(minutes * 60)}\n`,
          );
          await until(async () => {
            const row = (await daemon?.status())?.ups[0];
            return row?.batteryCharge === charge && row.runtime === minutes * 60;
          });
        };
        await shows(above);
        await until(() => apcupsd.did('onbattery') && apcupsd.answered > 3);
        expect(apcupsd.did('doshutdown')).to.equal(false);
        await shows(at);
        await until(() => apcupsd.did('doshutdown'));
        expect(daemon.powerOffs(), 'at the number itself').to.deep.equal([]);
        await shows(below);
        await daemon.poweredOff();
      } finally {
        await daemon?.stop();
        apcupsd.stop();
        await upsd.stop();
      }
    });
});

/** Armed, with a harmless power-off, and without the wait at the begin of an outage, which init names as well. */
async function imported(apcupsd: Apcupsd, name: string): Promise<{ said: string; toml: string }> {
  const output = join(apcupsd.folder, 'config.toml');
  const { code, out, err } = await ridethrough([
    'init',
    ...['--from-apcupsd', apcupsd.conf, '--ups', name, '--output', output],
  ]);
  expect(code, err).to.equal(0);
  const said = out + err;
  expect(said).to.contain('they wait for on_battery_stabilization_delay (30 s)');
  const toml = readFileSync(output, 'utf8')
    .replace(/^dry_run = true/m, 'dry_run = false')
    .replace(/^command = .*/m, 'command = ["{shutdown}"]')
    .replace(/^fallback_command = .*\n/m, '')
    .replace(/^\[triggers\]$/m, '[triggers]\non_battery_stabilization_delay = 0');
  expect(toml.match(/^(?:fallback_)?command = .*/gm)).to.deep.equal(['command = ["{shutdown}"]']);
  const more =
    '\n[supervisor]\nruntime_directory = "{directory}/run"\n[statistics]\ndb_directory = "{directory}/lib"\n';
  return { said, toml: toml + more };
}
