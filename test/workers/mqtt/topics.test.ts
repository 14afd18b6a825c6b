import { expect } from 'chai';
import { otherHost, topicsOf } from '../../../workers/mqtt/topics.js';

describe('the MQTT topics of a daemon', () => {
  const topics = topicsOf({ topicPrefix: 'site/ups' }, 'pve1.example');

  it('name its host as one level without wildcards', () => {
    expect(topics.status).to.equal('site/ups/status');
    expect(topics.availability).to.equal('site/ups/pve1_example/availability');
    expect(topicsOf({ topicPrefix: 'svc' }, 'a+b/#').energy).to.equal('svc/a_b__/energy');
  });

  it('tell another daemon that is connected from this one and from those that are gone', () => {
    expect(otherHost(topics, 'site/ups/nas/availability', 'online')).to.equal('nas');
    expect(otherHost(topics, 'site/ups/nas/availability', 'offline')).to.equal(null);
    expect(otherHost(topics, 'site/ups/nas/availability', '')).to.equal(null);
    expect(otherHost(topics, topics.availability, 'online')).to.equal(null);
  });
});
