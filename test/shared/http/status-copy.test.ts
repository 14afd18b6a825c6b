import { expect } from 'chai';
import { StatusCopy, sortedJson } from '../../../shared/http/status-copy.js';
import { redundancyGroup, row } from '../../workers/api/fixture.js';

describe('the status as JSON text', () => {
  it('is the same for the API and MQTT except for the order of keys', () => {
    const change = {
      full: true,
      ups: [{ row: row() }],
      order: [row().groupId],
      redundancyGroups: [redundancyGroup],
    };
    const [written, sorted] = [new StatusCopy(JSON.stringify), new StatusCopy(sortedJson)];
    for (const copy of [written, sorted]) expect(copy.apply(change)).to.equal(true);
    expect(JSON.parse(sorted.body(7.25))).to.deep.equal(JSON.parse(written.body(7.25)));
    expect(sorted.body(7.25)).to.equal(sortedJson(JSON.parse(written.body(7.25))));
  });

  it('has a fingerprint that changes with every field except the time', () => {
    const copy = new StatusCopy(sortedJson);
    const apply = (load: number): string => {
      const ups = [{ row: row({ load }) }];
      copy.apply({ full: false, ups, order: [row().groupId], redundancyGroups: [] });
      return copy.fingerprint;
    };
    const first = apply(20);
    expect(apply(20)).to.equal(first);
    expect(apply(20.1)).not.to.equal(first);
    expect(copy.body(1)).not.to.equal(copy.body(2));
  });
});

describe('sorted JSON', () => {
  it('sorts the keys of every object and leaves lists as they are', () => {
    expect(sortedJson({ b: [{ z: 1, a: null }, 'y', 'x'], a: { d: 0.1, c: '' }, B: true })).to.equal(
      '{"B":true,"a":{"c":"","d":0.1},"b":[{"a":null,"z":1},"y","x"]}',
    );
  });
});
