import { expect } from 'chai';
import { headOf, labelText, linesOf } from '../../../../workers/api/metrics/family.js';
import { formatFor } from '../../../../workers/api/metrics/text-format.js';

describe('the format of the metrics', () => {
  const table: readonly (readonly [string, string, 'openmetrics' | 'prometheus'])[] = [
    ['no Accept', '', 'prometheus'],
    ['curl', '*/*', 'prometheus'],
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'prometheus'],
    [
      'Prometheus 2',
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    [
      'Prometheus 3',
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
      'openmetrics',
    ],
    ['an older version alone', 'application/openmetrics-text; version=0.0.1', 'prometheus'],
    ['one that prefers plain text', 'application/openmetrics-text;q=0.4, text/plain', 'prometheus'],
    ['one that refuses it', 'application/openmetrics-text;q=0', 'prometheus'],
    ['a broken quality', 'application/openmetrics-text;q=high', 'prometheus'],
    ['nonsense', ';;;,,=q;,application/openmetrics-text', 'openmetrics'],
  ];
  for (const [who, accept, format] of table)
    it(`is ${format} for ${who}`, () => expect(formatFor(accept)).to.equal(format));

  it('takes _total from the name of a counter in OpenMetrics, and from nothing else', () => {
    const headed = (name: string, type: string) =>
      (['prometheus', 'openmetrics'] as const).map((format) =>
        headOf({ name, help: 'A total.', type }, format),
      );
    const head = '# HELP a_total A total.\n# TYPE a_total counter\n';
    expect(headed('a_total', 'counter')).to.deep.equal([head, head.replaceAll('a_total', 'a')]);
    expect(new Set(headed('b_total', 'gauge')).size).to.equal(1);
    expect(new Set(headed('total_seconds', 'counter')).size).to.equal(1);
  });

  it('has a line for each sample with a value, its labels escaped', () => {
    expect(
      linesOf('a', [
        ['', 1],
        ['b="c"', null],
        ['d="e"', 2.5, '_sum'],
      ]),
    ).to.equal('a 1\na_sum{d="e"} 2.5\n');
    expect(
      linesOf(
        'a',
        [
          ['', 1],
          ['b="c"', 0],
        ],
        'ups="x"',
      ),
    ).to.equal('a{ups="x"} 1\na{ups="x",b="c"} 0\n');
    expect(labelText({ a: 'b"c\\d\ne' })).to.equal('a="b\\"c\\\\d\\ne"');
  });
});
