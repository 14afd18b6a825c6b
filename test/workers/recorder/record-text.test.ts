import { expect } from 'chai';
import { fileNameOf, maxFileBytes, readRecord, recordBytes } from '../../../workers/recorder/record-text.js';
import { maxRecordBytes } from '../../../shared/protocol/recorder.js';

const record = { group: 'Büro "A"\n', text: '{"targets":[{"name":"nas","before":"up"}]}\nmore ✓' };
const name = fileNameOf(record.group);
const bytes = recordBytes(record);

const reasonOf = (changed: Buffer, as = name): string | null => {
  const read = readRecord(as, changed);
  return read.ok ? null : read.reason;
};

describe('the file of a record', () => {
  it('has the group and its text, whatever characters they have', () => {
    for (const text of [record.text, '', '\n', '\0'.repeat(100), 'x'.repeat(maxRecordBytes)]) {
      const written = recordBytes({ ...record, text });
      expect(written.length).to.be.at.most(maxFileBytes);
      expect(readRecord(name, written)).to.deep.equal({ ok: true, record: { ...record, text } });
    }
    const longest = { group: '\u0001'.repeat(256), text: 'x' };
    expect(readRecord(fileNameOf(longest.group), recordBytes(longest)).ok).to.equal(true);
  });

  it('has a name of letters and digits, different for each group', () => {
    const groups = ['a', 'A', '../a', '/', '', 'a/b', '..'];
    const names = groups.map(fileNameOf);
    for (const one of names) expect(one).to.match(/^[0-9a-f]{32}\.json$/);
    expect(new Set(names).size).to.equal(groups.length);
  });

  it('is no record when it is cut, at every byte', () => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(reasonOf(bytes.subarray(0, length)), String(length)).to.be.a('string');
  });

  it('is no record when one byte is changed, at every place, or when it is longer', () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      expect(reasonOf(changed), String(at)).to.be.a('string');
    }
    expect(reasonOf(Buffer.concat([bytes, Buffer.from('x')]))).to.match(
      /^it has \d+ bytes, and \d+ were written$/,
    );
    expect(reasonOf(Buffer.concat([bytes, bytes]))).to.match(/were written$/);
  });

  it('is no record of another version, under another name, or without a first line', () => {
    const text = bytes.toString();
    expect(reasonOf(Buffer.from(text.replace('record 1 ', 'record 2 ')))).to.equal(
      'it is of version 2, and this daemon reads version 1',
    );
    expect(reasonOf(bytes, fileNameOf('other'))).to.contain('its name is not that of its group');
    for (const other of ['', '{}', 'ridethrough-record', `${'x'.repeat(5000)}\n`, '\n', '\0'.repeat(9000)])
      expect(reasonOf(Buffer.from(other)), other.slice(0, 20)).to.contain(
        'it does not begin as a record does',
      );
  });
});
