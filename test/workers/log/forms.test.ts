import { expect } from 'chai';
import { escaped, escapedJson } from '../../../workers/log/escape.js';
import { jsonLine } from '../../../workers/log/json.js';
import { journalLine, textLine } from '../../../workers/log/text.js';
import { record } from './record.js';

const hostile = 'a\nb\rc\td\0e\x1b[31mf\u0085g\u2028h\u2029i\u202ej\u200bk\ud800l';

describe('the text form', () => {
  it('gives time in UTC, level, logger, what it is about and the message on one line', () => {
    expect(textLine(record({ level: 'warning', ups: 'office', event_type: 'ON_BATTERY' }))).to.equal(
      '2026-11-21T15:00:00.123Z warning policy ups=office: on line power',
    );
  });

  it('leaves the time to the journal and gives it the priority', () => {
    expect(
      (['error', 'warning', 'info', 'debug'] as const).map((level) => journalLine(record({ level }))),
    ).to.deep.equal([3, 4, 6, 7].map((priority) => `<${String(priority)}>policy: on line power`));
  });

  it('keeps a record with line breaks, escape sequences and reordering characters on one visible line', () => {
    const line = textLine(record({ message: hostile }));
    expect(line).to.match(/^[ -~]+$/);
    expect(line).to.contain('a\\nb\\rc\\td\\x00e\\x1b[31mf\\x85g\\u{2028}h');
  });

  it('quotes a field that would pass for another one', () => {
    expect(textLine(record({ ups: 'a server=b', logger: 'x: y' }))).to.contain(
      ' "x: y" ups="a server=b": on line power',
    );
    expect(textLine(record({ ups: 'a" b' }))).to.contain('ups="a\\" b": ');
    expect(textLine(record({ ups: '' }))).to.contain('ups="": ');
  });

  it('prints a time no calendar has as this moment', () => {
    for (const timestamp of [1e300, -1, 253_402_300_800]) {
      const before = Date.now();
      const printed = Date.parse(textLine(record({ timestamp })).slice(0, 24));
      expect(printed).to.be.within(before, Date.now());
    }
  });

  it('keeps ordinary letters of every script', () => {
    expect(escaped('Büro 東京 🔋')).to.equal('Büro 東京 🔋');
  });
});

describe('the JSON form', () => {
  it('has timestamp, level, logger and message, and no key that was not supplied', () => {
    expect(jsonLine(record())).to.equal(
      '{"timestamp":"2026-11-21T15:00:00.123Z","level":"info","logger":"policy","message":"on line power"}',
    );
  });

  it('carries category, event_type, group, ups and server when supplied', () => {
    const fields = { category: 'power_event', event_type: 'ON_BATTERY', group: 'g', ups: 'u', server: 's' };
    expect(JSON.parse(jsonLine(record(fields)))).to.deep.include(fields);
  });

  it('keeps a hostile record on one visible line that reads back as it was', () => {
    const line = jsonLine(record({ message: hostile, ups: hostile }));
    expect(line).to.match(/^[ -~]+$/);
    expect(JSON.parse(line)).to.deep.include({ message: hostile, ups: hostile });
  });

  it('escapes characters beyond the basic plane as a pair', () => {
    const tagged = JSON.stringify('x\u{e0041}y');
    expect(escapedJson(tagged)).to.equal('"x\\udb40\\udc41y"');
  });
});
