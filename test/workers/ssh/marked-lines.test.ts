import { expect } from 'chai';
import { MarkedLines } from '../../../workers/ssh/marked-lines.js';

const mark = 'a'.repeat(32);

function read(text: string, size: number): { readonly taken: readonly string[]; readonly rest: string } {
  const taken: string[] = [];
  let rest = '';
  const lines = new MarkedLines(
    mark,
    (line) => taken.push(line),
    (chunk) => (rest += chunk.toString('utf8')),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) lines.add(bytes.subarray(at, at + size));
  lines.end();
  return { taken, rest };
}

describe('the marked lines of an output', () => {
  const report = [
    'motd',
    '',
    `${mark}\tdocker\tc1`,
    `no mark: ${mark}`,
    mark.slice(0, 31),
    `${mark}\tlibvirt\tü`,
    'still running: web',
  ];
  it('are taken out of it, whatever the parts in which it comes', () => {
    for (const size of [1, 2, 3, 7, 31, 32, 33, 64, 1_000]) {
      const { taken, rest } = read(`${report.join('\n')}\n`, size);
      expect(taken, String(size)).to.deep.equal(['\tdocker\tc1', '\tlibvirt\tü']);
      expect(rest).to.equal(`${report.filter((line) => !line.startsWith(mark)).join('\n')}\n`);
    }
  });

  it('are complete: of a connection that is cut the last one may be a part, and is dropped', () => {
    expect(read(`${mark}\ta\n${mark}\tabc`, 10)).to.deep.equal({ taken: ['\ta'], rest: '' });
    expect(read(mark.slice(0, 5), 10)).to.deep.equal({ taken: [], rest: mark.slice(0, 5) });
  });

  it('are bounded: a longer one is dropped as a whole, and the next one is taken', () => {
    const long = `${mark}${'x'.repeat(100_000)}\n${mark}\ta\n`;
    expect(read(long, 4_096)).to.deep.equal({ taken: ['\ta'], rest: '' });
  });

  it('leave the report its whole room, and a flood of other output leaves them theirs', () => {
    const lines = Array.from({ length: 1_000 }, (_, place) => `${mark}\tdocker\tc${String(place)}\n`);
    const noise = 'x'.repeat(9_000);
    const { taken, rest } = read(`${noise}\n${lines.join('')}still running: web\n`, 1_500);
    expect(taken).to.have.length(1_000);
    expect(rest).to.equal(`${noise}\nstill running: web\n`);
  });
});
