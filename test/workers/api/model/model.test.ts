import { expect } from 'chai';
import type { PublishedUps } from '../../../../shared/protocol/api.js';
import { Model } from '../../../../workers/api/model/model.js';
import { modelChange, publishedUps } from '../fixture.js';

const office = publishedUps();
const rack = publishedUps({ name: 'rack-a@nut1.lan:3500', groupId: 'rack-a-nut1.lan-3500', label: 'Rack A' });
const plain = publishedUps({ name: 'cellar', groupId: 'cellar', label: 'Cellar' });

function modelOf(...ups: PublishedUps[]): Model {
  const model = new Model();
  expect(model.apply(modelChange({ ups }))).to.equal(true);
  return model;
}

describe('the read model', () => {
  it('is empty before the first publication', () => expect(new Model().daemon).to.equal(null));

  it('finds a UPS by each form of its name', () => {
    const model = modelOf(office, rack, plain);
    const found = (name: string) => model.find(name)?.row.label;
    for (const name of [
      'office@127.0.0.1',
      'office@127.0.0.1:3493',
      'office-127.0.0.1',
      'office-127.0.0.1-3493',
    ])
      expect(found(name), name).to.equal('Office');
    for (const name of ['rack-a@nut1.lan:3500', 'rack-a@NUT1.lan:3500', 'rack-a-nut1.lan-3500'])
      expect(found(name), name).to.equal('Rack A');
    for (const name of [
      'cellar',
      'cellar@localhost',
      'cellar@localhost:3493',
      'cellar-localhost',
      'cellar-localhost-3493',
    ])
      expect(found(name), name).to.equal('Cellar');
  });

  it('rejects any other name', () => {
    const model = modelOf(office, rack, plain);
    for (const name of [
      '',
      'Office',
      'rack-a@nut1.lan',
      'cellar@127.0.0.1',
      'office@127.0.0.1:1',
      '__proto__',
      'a b',
    ])
      expect(model.find(name), name).to.equal(undefined);
  });

  it('keeps unchanged rows, in the order of a change', () => {
    const model = modelOf(office, rack);
    const charge = publishedUps({ batteryCharge: 12 });
    model.apply(modelChange({ full: false, ups: [charge], order: [rack.row.groupId, office.row.groupId] }));
    expect(model.ups.map(({ row }) => [row.label, row.batteryCharge])).to.deep.equal([
      ['Rack A', 87],
      ['Office', 12],
    ]);
  });

  it('drops a UPS that is no longer in the order', () => {
    const model = modelOf(office, rack);
    model.apply(modelChange({ full: false, ups: [], order: [rack.row.groupId] }));
    expect(model.find('office-127.0.0.1')).to.equal(undefined);
  });

  it('rejects a whole change that names an unknown UPS', () => {
    const model = modelOf(office);
    const before = model.statusJson(1);
    expect(
      model.apply(modelChange({ full: false, ups: [], order: ['nobody', office.row.groupId] })),
    ).to.equal(false);
    expect(model.statusJson(1)).to.equal(before);
  });

  it('serialises a row once for any number of requests', () => {
    let serialised = 0;
    const counted = { ...office.row, toJSON: () => ((serialised += 1), { name: 'counted' }) };
    const model = modelOf({ ...office, row: counted }, rack);
    const bodies = [model.statusJson(1), model.statusJson(2.5)];
    model.apply(modelChange({ full: false, ups: [rack], order: [office.row.groupId, rack.row.groupId] }));
    model.statusJson(3);
    expect(serialised).to.equal(1);
    expect(bodies.map((body) => (JSON.parse(body) as { generatedAt: number }).generatedAt)).to.deep.equal([
      1, 2.5,
    ]);
  });

  it('composes the status of two parts, and rebuilds the second after a change', () => {
    const model = modelOf(office);
    const whole = ({ lead, body }: ReturnType<Model['statusParts']>) => lead + body.toString();
    const before = model.statusParts(1.5);
    expect(whole(before)).to.equal(model.statusJson(1.5));
    expect(model.statusParts(2).body).to.equal(before.body);
    const worse = { ...office, row: { ...office.row, label: 'Büro', batteryCharge: 12 } };
    model.apply(modelChange({ full: false, ups: [worse], order: [office.row.groupId] }));
    expect(whole(model.statusParts(3))).to.equal(model.statusJson(3));
    expect(whole(model.statusParts(3)))
      .to.include('Büro')
      .and.include('"batteryCharge":12');
  });

  it('has only the three keys of the status body', () => {
    const body = JSON.parse(modelOf(office).statusJson(7)) as object;
    expect(Object.keys(body)).to.have.members(['generatedAt', 'ups', 'redundancyGroups']);
  });
});
