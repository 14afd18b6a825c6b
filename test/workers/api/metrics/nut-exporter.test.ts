import { expect } from 'chai';
import { supervisorUnavailable } from '../../../../workers/api/http/problem.js';
import { nutExporterText } from '../../../../workers/api/metrics/nut-exporter.js';
import { publishedUps } from '../fixture.js';

const office = publishedUps();
const rack = publishedUps({ groupId: 'rack', name: 'rack@nas' });

async function samples(
  readings: Readonly<Record<string, string>>,
  published = [office],
): Promise<readonly string[]> {
  const text = await nutExporterText(published, () => Promise.resolve({ readings }));
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the metrics under the names of nut_exporter', () => {
  it('has every number, and switches as 1 and 0', async () => {
    const readings = {
      'battery.charge': '87',
      'battery.voltage.nominal': '24',
      'input.voltage': '229.8',
      'ups.temperature': '-3.5',
      'ups.beeper.status': 'enabled',
      'outlet.1.switchable': 'no',
      'ups.test.result': 'Done and passed',
      'battery.runtime': ' 1830 ',
    };
    expect(await samples(readings)).to.deep.equal([
      'network_ups_tools_battery_charge{ups="office@127.0.0.1"} 87',
      'network_ups_tools_battery_voltage_nominal{ups="office@127.0.0.1"} 24',
      'network_ups_tools_input_voltage{ups="office@127.0.0.1"} 229.8',
      'network_ups_tools_ups_temperature{ups="office@127.0.0.1"} -3.5',
      'network_ups_tools_ups_beeper_status{ups="office@127.0.0.1"} 1',
      'network_ups_tools_battery_runtime{ups="office@127.0.0.1"} 1830',
    ]);
  });

  it('has no number that measures nothing, and none of a server that lies', async () => {
    const readings = {
      'ups.serial': '0000123',
      'battery.date': '20260101',
      'device.part': '7',
      'driver.parameter.pollinterval': '2',
      'ups.id': '1',
      'input.voltage': 'NaN',
      'output.voltage': 'Infinity',
      'ups.load': '1e308',
      'battery.charge': '0x10',
      'battery.voltage': '',
      'a\n# TYPE b': '1',
      '{x}': '1',
      'ups.power': '(hidden)',
    };
    expect(await samples(readings)).to.deep.equal([]);
  });

  it('has the flags of the status, always the known ones, and the identity of the device', async () => {
    const found = await samples({
      'ups.status': 'OL CHRG ODD',
      'device.model': 'a"b',
      'device.serial': '(hidden)',
    });
    const on = found.filter((line) => line.startsWith('network_ups_tools_ups_status') && line.endsWith(' 1'));
    expect(on.map((line) => /flag="(\w+)"/.exec(line)?.[1])).to.deep.equal(['OL', 'CHRG', 'ODD']);
    expect(found.filter((line) => line.includes('flag=') && line.endsWith(' 0'))).to.have.length(13);
    expect(found.at(-1)).to.equal(
      'network_ups_tools_device_info{ups="office@127.0.0.1",model="a\\"b",mfr="",serial="",type="",description="",contact="",location="",part="",macaddr=""} 1',
    );
  });

  it('keeps the samples of one name together, and writes no series twice', async () => {
    expect(
      await samples({ 'battery.charge': '1', 'battery-charge': '2', 'ups.load': '3' }, [office, rack]),
    ).to.deep.equal([
      'network_ups_tools_battery_charge{ups="office@127.0.0.1"} 1',
      'network_ups_tools_battery_charge{ups="rack@nas"} 1',
      'network_ups_tools_ups_load{ups="office@127.0.0.1"} 3',
      'network_ups_tools_ups_load{ups="rack@nas"} 3',
    ]);
  });

  it('has nothing of a UPS whose connection is lost, or whose variables the supervisor does not give', async () => {
    const lost = publishedUps({ connectionState: 'FAILED' });
    expect(await samples({ 'battery.charge': '1' }, [lost])).to.deep.equal([]);
    const text = await nutExporterText([office, rack], (group) =>
      group === 'rack'
        ? Promise.resolve({ readings: { 'ups.load': '3' } })
        : Promise.reject(supervisorUnavailable('no answer')),
    );
    expect(text).to.equal(
      '# HELP network_ups_tools_ups_load The variable ups.load of NUT.\n# TYPE network_ups_tools_ups_load gauge\nnetwork_ups_tools_ups_load{ups="rack@nas"} 3\n',
    );
  });

  it('asks the supervisor about four UPSes at a time', async () => {
    let open = 0;
    let most = 0;
    const fleet = Array.from({ length: 30 }, (_, n) =>
      publishedUps({ groupId: String(n), name: `u${String(n)}` }),
    );
    await nutExporterText(fleet, async () => {
      most = Math.max(most, (open += 1));
      await Promise.resolve();
      open -= 1;
      return { readings: {} };
    });
    expect(most).to.equal(4);
  });
});
