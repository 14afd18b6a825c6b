import { expect } from 'chai';
import { upsFamilies } from '../../../../workers/api/metrics/ups-families.js';
import { upsText } from '../../../../workers/api/metrics/ups.js';
import { publishedUps } from '../fixture.js';

describe('the metrics of a UPS whose connection is lost', () => {
  const ups = 'ups="office@127.0.0.1",label="Office"';
  const powerQuality = {
    ...publishedUps().row.powerQuality,
    ...{ batteryVoltage: '27.1', temperature: '31.5', outputFrequency: '50.0' },
    overloadState: 'ACTIVE' as const,
  };
  const onBattery = { status: 'OB LB', depletionRate: 2, timeOnBattery: 90, realPower: 312, powerQuality };
  const scrape = async (connectionState: 'OK' | 'GRACE_PERIOD' | 'FAILED'): Promise<readonly string[]> => {
    const published = [publishedUps({ ...onBattery, connectionState })];
    return Buffer.concat(await upsText(upsFamilies('svc'), published, 'prometheus'))
      .toString()
      .split('\n');
  };
  const measurements =
    /^svc_ups_(battery_charge|runtime_seconds|load_percent|real_power|temperature|input_|output_|battery_voltage|depletion_rate)\w*\{/;
  const measured = async (state: Parameters<typeof scrape>[0]): Promise<readonly string[]> =>
    (await scrape(state)).filter((line) => measurements.test(line));

  it('have no measurement until it is read again', async () => {
    const before = await measured('GRACE_PERIOD');
    expect(before).to.have.length(11);
    expect(await measured('FAILED')).to.deep.equal([]);
    expect(await measured('OK')).to.deep.equal(before);
  });

  it('keep what an alert of an outage asks for, so that it does not clear', async () =>
    expect(await scrape('FAILED')).to.include.members([
      `svc_ups_connection_failed{${ups}} 1`,
      `svc_ups_status{${ups},flag="OB"} 1`,
      `svc_ups_status{${ups},flag="LB"} 1`,
      `svc_ups_overload_state{${ups},state="ACTIVE"} 1`,
      `svc_ups_time_on_battery_seconds{${ups}} 90`,
      `svc_ups_trigger_active{${ups}} 0`,
    ]));
});
