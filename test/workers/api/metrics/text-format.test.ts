import { expect } from 'chai';
import { converted, formatFor } from '../../../../workers/api/metrics/text-format.js';

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
    const text =
      '# HELP a_total A total.\n# TYPE a_total counter\na_total 1\n# HELP b_total B.\n# TYPE b_total gauge\nb_total 2\n';
    expect(converted(text, 'prometheus')).to.equal(text);
    expect(converted(text, 'openmetrics')).to.equal(
      text.replace('# HELP a_total', '# HELP a').replace('# TYPE a_total', '# TYPE a'),
    );
  });

  it('has no blank line in OpenMetrics, whose readers refuse one', () => {
    const text = '# HELP a A.\n# TYPE a gauge\na{b="\\n\\n"} 1\n\n# HELP c C.\n# TYPE c gauge\nc 2\n';
    expect(converted(text, 'prometheus')).to.equal(text);
    expect(converted(text, 'openmetrics')).to.equal(text.replace('1\n\n', '1\n'));
  });
});
