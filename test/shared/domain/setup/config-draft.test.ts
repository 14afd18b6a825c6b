import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'toml';
import type { TomlValue } from '../../../../shared/domain/setup/config-draft.js';
import { DraftTable } from '../../../../shared/domain/setup/config-draft.js';

const key = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.integer(),
  fc.constantFrom(0.25, 1e21),
);
const value: fc.Arbitrary<TomlValue> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.array(fc.dictionary(key, scalar, { maxKeys: 3 }), { maxLength: 3 }),
);
const any = fc.string({ unit: 'binary', maxLength: 300 });

const plain = (u: unknown): unknown => JSON.parse(JSON.stringify(u));

describe('a draft of a configuration', () => {
  it('reads back as TOML with every value, whatever the values and comments hold', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), any, any, (values, note, why) => {
        const file = new DraftTable().note(note).leavesOut(note, why);
        const row = file.row('ups').leavesOut(why, note);
        for (const [name, one] of Object.entries(values)) {
          file.table('plain').set(name, one, note);
          row.set(name, one);
          row.table('below').row('list').set(name, one, why);
        }
        const read = plain(parse(file.text())) as Record<string, unknown>;
        const list = Object.entries(values);
        const expected = {
          ...(list.length === 0 ? {} : { plain: values }),
          ups: [
            {
              ...values,
              ...(list.length === 0 ? {} : { below: { list: list.map(([name, one]) => ({ [name]: one })) } }),
            },
          ],
        };
        expect(read).to.deep.equal(plain(expected));
      }),
    );
  });

  it('has no control character but the ends of lines', () => {
    fc.assert(
      fc.property(any, any, (one, other) => {
        const text = new DraftTable().note(one).leavesOut(one, other).set('a', [other], one).text();
        expect(text.replaceAll('\n', '')).not.to.match(/\p{Cc}/u);
      }),
    );
    expect(new DraftTable().set('a', '\u001b[2J\u009b\u007f').text()).to.equal(
      'a = "\\u001b[2J\\u009b\\u007f"\n',
    );
  });

  it('has a comment for everything that was left, at its table, and lists it', () => {
    const file = new DraftTable();
    file.table('triggers').set('a', 1).leavesOut('OLD 5', 'there is none');
    expect(file.text()).to.equal('[triggers]\n# Not carried: OLD 5: there is none\na = 1\n');
    expect(file.allLeftOut().map(({ what, why }) => [what, why])).to.deep.equal([['OLD 5', 'there is none']]);
  });

  it('shows an empty list entry and no empty table', () => {
    const file = new DraftTable();
    file.table('triggers');
    file.row('ups');
    file.table('nut').table('below').set('a', true);
    expect(file.text()).to.equal('[[ups]]\n\n[nut.below]\na = true\n');
  });
});
