import { expect } from 'chai';
import { facilityNumber, packet, prioritisedLine } from '../../../workers/log/syslog.js';
import { parseAddress } from '../../../workers/log/outlets/udp.js';
import { moment, record } from './record.js';

const daemon = 3;

describe('the syslog format', () => {
  it('is an RFC 3164 packet: priority, local time, host, tag and pid, text', () => {
    const date = new Date(moment * 1000);
    const day = String(date.getDate()).padStart(2, ' ');
    const time = [date.getHours(), date.getMinutes(), date.getSeconds()]
      .map((n) => String(n).padStart(2, '0'))
      .join(':');
    expect(packet(daemon, 'rack.example.org', 42)(record({ level: 'warning', ups: 'office' }))).to.equal(
      `<28>Nov ${day} ${time} rack ridethrough[42]: policy ups=office: on line power`,
    );
  });

  it('pads the day with a space, as RFC 3164 requires', () => {
    const firstOfMay = new Date(2026, 4, 1, 9, 5, 7).getTime() / 1000;
    expect(packet(daemon, 'h', 1)(record({ timestamp: firstOfMay }))).to.contain('>May  1 09:05:07 h ');
  });

  it('numbers facilities and severities', () => {
    expect(['kern', 'daemon', 'authpriv', 'local0', 'local7'].map(facilityNumber)).to.deep.equal([
      0, 3, 10, 16, 23,
    ]);
    expect(facilityNumber('demon')).to.equal(undefined);
    expect(prioritisedLine(23, 1)(record({ level: 'debug' }))).to.equal('<191>policy: on line power');
  });

  it('cuts at 1024 bytes, never inside a character, and marks the cut', () => {
    for (const shift of ['', 'a', 'ab']) {
      const bytes = Buffer.from(packet(daemon, 'h', 1)(record({ message: shift + '東'.repeat(1000) })));
      expect(bytes.length).to.be.within(1022, 1024);
      expect(bytes.toString()).to.match(/東 \[cut\]$/);
    }
  });

  it('leaves room for the header that logger adds', () => {
    const line = prioritisedLine(daemon, 1_234_567)(record({ message: 'x'.repeat(4000) }));
    expect(line.length + 'Nov 21 15:00:00 ridethrough[1234567]: '.length).to.equal(1024);
  });
});

describe('a syslog address', () => {
  it('is a name or an address with a port, 514 by default', () => {
    expect(parseAddress('logs.example.org:5514')).to.deep.equal({ host: 'logs.example.org', port: 5514 });
    expect(parseAddress('127.0.0.2')).to.deep.equal({ host: '127.0.0.2', port: 514 });
    expect(parseAddress('[::1]:1514')).to.deep.equal({ host: '::1', port: 1514 });
  });
});
