import { expect } from 'chai';
import type { MqttUps } from '../../../shared/protocol/mqtt.js';
import { Discovery, energyMessage } from '../../../workers/mqtt/discovery.js';
import { row } from '../api/fixture.js';

const settings = { topicPrefix: 'svc', publishIntervalMs: 30_000, availability: false };
const shown = (change = {}, totalKwh: number | null = null): MqttUps => ({
  totalKwh,
  row: row(change),
  device: { manufacturer: 'Eaton', model: '5P 1550i', firmware: '02.14' },
});
const documents = (...ups: readonly MqttUps[]) =>
  Object.fromEntries(
    [...new Discovery('nas.example').documents(ups, settings)].map(([topic, text]) => [
      topic,
      JSON.parse(text) as Record<string, unknown>,
    ]),
  );

describe('the Home Assistant discovery', () => {
  const found = documents(shown());
  const of = (id: string) =>
    Object.entries(found).find(([topic]) => topic.endsWith(`/${id}/config`))?.[1] ?? {};

  it('describes a UPS as one device', () => {
    const devices = new Set(Object.values(found).map(({ device }) => JSON.stringify(device)));
    expect(devices.size).to.equal(1);
    expect(of('status')['device']).to.deep.include({
      name: 'Office',
      manufacturer: 'Eaton',
      model: '5P 1550i',
      sw_version: '02.14',
    });
  });

  it('uses accepted topics and unique identifiers', () => {
    for (const topic of Object.keys(found))
      expect(topic).to.match(
        /^homeassistant\/(sensor|binary_sensor)\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+\/config$/,
      );
    const ids = Object.values(found).map((document) => document['unique_id']);
    expect(new Set(ids).size).to.equal(ids.length);
    const [one, other] = [documents(shown({ groupId: 'a.b' })), documents(shown({ groupId: 'a_b' }))];
    expect(Object.keys(one).filter((topic) => Object.hasOwn(other, topic))).to.deep.equal([]);
  });

  it('is another one on another host', () => {
    const on = (host: string) => [...new Discovery(host).documents([shown()], settings)];
    const texts = (host: string) =>
      on(host).map(([topic, text]) => [topic, (JSON.parse(text) as { unique_id: string }).unique_id]);
    const [one, other] = [texts('pve1'), texts('pve2')];
    expect(one.flat().filter((text) => other.flat().includes(text))).to.deep.equal([]);
  });

  it('names the host beside the name of a UPS that has no label', () => {
    const nameOf = (label: string): unknown => {
      const [document] = Object.values(documents(shown({ name: 'ups@localhost', label })));
      return (document?.['device'] as { name: string } | undefined)?.name;
    };
    expect(nameOf('ups@localhost')).to.equal('ups@localhost (nas_example)');
    expect(nameOf('Office')).to.equal('Office');
  });

  it('points at the row of the UPS in the status', () => {
    expect(of('battery_charge')['value_template']).to.equal(
      "{{ (value_json.ups | selectattr('groupId', 'eq', 'office-127.0.0.1') | rejectattr('connectionState', 'eq', 'FAILED') | list | first | default({})).get('batteryCharge') }}",
    );
    expect(of('battery_charge')['state_topic']).to.equal('svc/nas_example/status');
  });

  it('expires a reading that is not repeated', () => expect(of('load')['expire_after']).to.equal(90));

  it('has no entity for a reading that never existed', () => {
    expect(of('real_power')).to.deep.equal({});
    expect(of('temperature')).to.deep.equal({});
    expect(of('input_voltage')).not.to.deep.equal({});
    const { powerQuality } = row();
    const text = documents(shown({ powerQuality: { ...powerQuality, inputVoltage: 'N/A' } }));
    expect(Object.keys(text).filter((topic) => topic.includes('input_voltage'))).to.deep.equal([]);
  });

  it('has the score of a battery once it is known', () => {
    expect(of('battery_health')).to.deep.equal({});
    const known = Object.entries(documents(shown({ batteryHealth: { score: 66.1, replacementDue: false } })));
    const [, document] = known.find(([topic]) => topic.endsWith('/battery_health/config')) ?? [];
    expect(document).to.deep.include({ unit_of_measurement: '%', state_class: 'measurement' });
    expect(String(document?.['value_template'])).to.match(
      /\.get\('batteryHealth'\) or \{\}\)\.get\('score'\) \}\}$/,
    );
    const unknown = Object.keys(documents(shown({ batteryHealth: { score: null, replacementDue: false } })));
    expect(unknown.filter((topic) => topic.includes('battery_health'))).to.deep.equal([]);
  });

  it('has the energy of a UPS as a total that only rises, from the retained message', () => {
    const energy = Object.entries(documents(shown({}, 12.5))).find(([topic]) =>
      topic.endsWith('/energy/config'),
    );
    expect(energy?.[1]).to.deep.include({
      device_class: 'energy',
      state_class: 'total_increasing',
      unit_of_measurement: 'kWh',
      state_topic: 'svc/nas_example/energy',
      value_template: "{{ value_json.get('office-127.0.0.1') }}",
    });
    expect(energy?.[1]).not.to.have.property('expire_after');
    expect(of('energy')).to.deep.equal({});
    expect(energyMessage([shown({}, 12.5), shown({ groupId: 'b' })])).to.equal('{"office-127.0.0.1":12.5}');
    expect(energyMessage([shown()])).to.equal(undefined);
  });
});
