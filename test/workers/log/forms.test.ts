import { expect } from 'chai';
import { escapeText, escapedJson } from '../../../workers/log/escape.js';
import { jsonLine } from '../../../workers/log/json.js';
import { journalLine, textLine } from '../../../workers/log/text.js';
import { record } from './record.js';

const hostile = 'a\nb\rc\td\0e\x1b[31mf\u0085g\u2028h\u2029i\u202ej\u200bk\ud800l';

describe('the text log format', () => {
  it('has time in UTC, level, logger, subject and message on one line', () => {
    expect(textLine(record({ level: 'warning', ups: 'office', event_type: 'ON_BATTERY' }))).to.equal(
      '2026-11-21T15:00:00.123Z warning policy ups=office: on line power',
    );
  });

  it('leaves the time to the journal and adds the priority', () => {
    expect(
      (['error', 'warning', 'info', 'debug'] as const).map((level) => journalLine(record({ level }))),
    ).to.deep.equal([3, 4, 6, 7].map((priority) => `<${String(priority)}>policy: on line power`));
  });

  it('keeps a record with line breaks, escape sequences and reordering characters on one visible line', () => {
    const line = textLine(record({ message: hostile }));
    expect(line).to.match(/^[ -~]+$/);
    expect(line).to.contain('a\\nb\\rc\\td\\x00e\\x1b[31mf\\x85g\\u{2028}h');
  });

  it('quotes a field that could pass for another', () => {
    expect(textLine(record({ ups: 'a server=b', logger: 'x: y' }))).to.contain(
      ' "x: y" ups="a server=b": on line power',
    );
    expect(textLine(record({ ups: 'a" b' }))).to.contain('ups="a\\" b": ');
    expect(textLine(record({ ups: '' }))).to.contain('ups="": ');
  });

  it('replaces an impossible time by the present', () => {
    for (const timestamp of [1e300, -1, 253_402_300_800]) {
      const before = Date.now();
      const printed = Date.parse(textLine(record({ timestamp })).slice(0, 24));
      expect(printed).to.be.within(before, Date.now());
    }
  });

  it('keeps letters of every script', () => {
    expect(escapeText('Büro 東京 🔋')).to.equal('Büro 東京 🔋');
  });
});

describe('the JSON log format', () => {
  it('has timestamp, level, logger and message, and no missing key', () => {
    expect(jsonLine(record())).to.equal(
      '{"timestamp":"2026-11-21T15:00:00.123Z","level":"info","logger":"policy","message":"on line power"}',
    );
  });

  it('has category, event_type, group, ups and server when given', () => {
    const fields = { category: 'power_event', event_type: 'ON_BATTERY', group: 'g', ups: 'u', server: 's' };
    expect(JSON.parse(jsonLine(record(fields)))).to.deep.include(fields);
  });

  it('keeps a hostile record on one line that parses back to the original', () => {
    const line = jsonLine(record({ message: hostile, ups: hostile }));
    expect(line).to.match(/^[ -~]+$/);
    expect(JSON.parse(line)).to.deep.include({ message: hostile, ups: hostile });
  });

  it('escapes characters beyond the basic plane as a surrogate pair', () => {
    const tagged = JSON.stringify('x\u{e0041}y');
    expect(escapedJson(tagged)).to.equal('"x\\udb40\\udc41y"');
  });
});
