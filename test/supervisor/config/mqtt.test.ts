import { expect } from 'chai';
import { configurationFrom, office, problemsOf } from './loading.js';

const brokerOf = (text: string) => configurationFrom(`${office}[mqtt]\n${text}`).mqtt.broker;

describe('the address of a broker', () => {
  it('has the default ports of MQTT', () => {
    expect(brokerOf('broker = "mqtt://broker.example"')).to.include({ tls: false, port: 1883 });
    expect(brokerOf('broker = "mqtts://broker.example"')).to.include({ tls: true, port: 8883 });
    expect(brokerOf('broker = "mqtts://broker.example:1"')).to.include({ tls: true, port: 1 });
  });

  it('may be an IPv6 address', () => {
    expect(brokerOf('broker = "mqtt://[::1]:1884"')).to.include({ host: '::1', port: 1884 });
  });

  it('contains user name and password, which are decoded', () => {
    expect(brokerOf('broker = "mqtts://m%40e:p%2Fss@broker.example"')).to.include({
      username: 'm@e',
      password: 'p/ss',
    });
    expect(brokerOf('broker = "mqtts://me@broker.example"')).to.include({ username: 'me', password: '' });
    expect(brokerOf('username = "me"\npassword = "p%2Fss"')).to.include({
      username: 'me',
      password: 'p%2Fss',
    });
  });

  it('does not have port 0', () => {
    expect(problemsOf(`${office}[mqtt]\nbroker = "mqtt://broker.example:0"`)).to.deep.equal([
      { path: 'mqtt.broker', message: 'expected mqtt://HOST[:PORT] or mqtts://HOST[:PORT]' },
    ]);
  });

  it('is this machine by default, and MQTT is disabled by default', () => {
    const { mqtt } = configurationFrom(office);
    expect(mqtt).to.deep.include({ enabled: false, topicPrefix: 'svc', publishIntervalMs: 10_000 });
    expect(mqtt.broker).to.include({ host: '127.0.0.1', port: 1883, username: '', password: '' });
  });
});
