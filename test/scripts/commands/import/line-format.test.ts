import { expect } from 'chai';
import fc from 'fast-check';
import { defaultFormat, LineFormat } from '../../../../scripts/commands/import/upslog/line-format.js';
import { isSameUps } from '../../../../scripts/commands/import/upslog/same-ups.js';
import { UsageError } from '../../../../scripts/commands/usage.js';

const sample = '20261124 185120 100 230.1 25 [OL CHRG] NA 50.0';

describe('the format of upslog', () => {
  it('reads the lines that it writes', () => {
    const line = new LineFormat(defaultFormat).read(sample);
    if (typeof line === 'string') throw new Error(line);
    expect(line.time).to.include({ year: 2026, month: 11, day: 24, hour: 18, minute: 51, second: 20 });
    expect([...line.variables]).to.deep.equal([
      ['battery.charge', '100'],
      ['input.voltage', '230.1'],
      ['ups.load', '25'],
      ['ups.status', 'OL CHRG'],
      ['ups.temperature', 'NA'],
      ['input.frequency', '50.0'],
    ]);
  });

  for (const [name, format, line, unix, variables] of [
    [
      'seconds since 1970',
      '%ETIME% %VAR ups.status%',
      '1700000000 OB',
      1_700_000_000,
      { 'ups.status': 'OB' },
    ],
    ['@s', '%TIME @s%,%VAR ups.load%', '1700000000,7', 1_700_000_000, { 'ups.load': '7' }],
    [
      'hosts, the process and a percent sign',
      '%HOST%/%UPSHOST% %PID% %ETIME%: %VAR ups.load%%% used',
      'nas/ups.example 17 1700000000: 12% used',
      1_700_000_000,
      { 'ups.load': '12' },
    ],
    ['tabs', '%UPSHOST%%t%ETIME%%t%VAR ups.load%', 'a@b\t5\t12', 5, { 'ups.load': '12' }],
    [
      'a status before a field, and names in small letters',
      '%etime% %var ups.status% %var ups.load%',
      '5 OB DISCHRG 12',
      5,
      { 'ups.status': 'OB DISCHRG', 'ups.load': '12' },
    ],
    [
      'a status before another word, or none',
      '%ETIME% %VAR ups.status% %VAR device.mfr% %VAR ups.status% OL',
      '5 OL APC NA OL',
      5,
      { 'ups.status': 'NA', 'device.mfr': 'APC' },
    ],
    ['a text of other letters', 'Ünder (.*) %ETIME%', 'Ünder (.*) 5', 5, {}],
  ] as const)
    it(`may have ${name}`, () => {
      const read = new LineFormat(format).read(Buffer.from(line).toString('latin1'));
      if (typeof read === 'string') throw new Error(read);
      expect(read.time.unix).to.equal(unix);
      expect(Object.fromEntries(read.variables)).to.deep.equal(variables);
    });

  it('gives the UPS of a line', () => {
    const named = new LineFormat('%UPSHOST%%t%ETIME%');
    expect(named.read('a@nas:1\t5')).to.include({ upsHost: 'a@nas:1' });
    expect(named.read('a@nas 5')).to.match(/expected a tab after the upsHost field/);
    expect([named.namesUps, new LineFormat(defaultFormat).namesUps]).to.deep.equal([true, false]);
    expect(new LineFormat(defaultFormat).read(sample)).to.include({ upsHost: null });
  });

  for (const [configured, named, isSame] of [
    ['a@127.0.0.1', 'a', true],
    ['a@localhost:3493', 'a@[::1]', true],
    ['a@nas', 'a@NAS:3493', true],
    ['a@nas', 'b@nas', false],
    ['a@nas', 'a@nas:3494', false],
    ['a@nas', 'nas', false],
  ] as const)
    it(`${named} in the log is ${isSame ? '' : 'not '}${configured}`, () => {
      expect(isSameUps(configured, named)).to.equal(isSame);
    });

  for (const [format, text, expected] of [
    ['@F @T@z', '2026-03-29 02:30:00+0100', { year: 2026, month: 3, hour: 2, offsetSeconds: 3600 }],
    ['@b @e @H:@M:@S @Y', 'Jan  5 01:02:03 2026', { year: 2026, month: 1, day: 5, second: 3 }],
    ['@a, @d @b @y @R', 'Mon, 05 Jan 98 23:59', { year: 1998, month: 1, minute: 59, second: 0 }],
    ['@D @H.@M', '12/31/68 00.00', { year: 2068, month: 12, day: 31 }],
    ['@Y@m@d @H@M@S', '20261231 235960', { second: 59 }],
  ] as const)
    it(`reads the time ${format}`, () => {
      const read = new LineFormat(`%TIME ${format}%`).read(text);
      if (typeof read === 'string') throw new Error(read);
      expect(read.time).to.include(expected);
    });

  for (const format of [
    '%VAR ups.load%',
    '%TIME @H@M@S%',
    '%TIME @Y@m@d%',
    '%TIME @Y@m@d @H@M @Q%',
    '%TIME @Y@Y@m@d @H@M%',
    '%ETIME% %VAR a%%VAR b%',
    '%ETIME% %NOPE%',
    '%ETIME% %VAR%',
    '%ETIME% 100 %',
  ])
    it(`${format} is refused`, () => {
      expect(() => new LineFormat(format)).to.throw(UsageError, '--format');
    });

  for (const [line, message] of [
    ['20261124 185120 100 230.1 25 [OL CHRG', /expected "\] " after ups.status/],
    ['20261324 185120 100 230.1 25 [OL] NA 50.0', /is no date and time/],
    ['20260230 185120 100 230.1 25 [OL] NA 50.0', /is no date and time/],
    ['20261124 245120 100 230.1 25 [OL] NA 50.0', /is no date and time/],
    ['2026112 185120 100 230.1 25 [OL] NA 50.0', /expected a time at character 1/],
    ['20261124 185120', /expected a space at character 16/],
    ['20261124 185120 100', /expected a space after battery.charge/],
    ['', /expected a time/],
  ] as const)
    it(`says what it expected of ${JSON.stringify(line)}`, () => {
      expect(new LineFormat(defaultFormat).read(line)).to.match(message);
    });

  it('survives any line and any format', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (format, line) => {
        new LineFormat(defaultFormat).read(line);
        new LineFormat(defaultFormat).read(sample.slice(0, 20) + line);
        try {
          new LineFormat(`%ETIME% ${format}`).read(line);
        } catch (error) {
          expect(error).to.be.instanceOf(UsageError);
        }
      }),
    );
  });
});
