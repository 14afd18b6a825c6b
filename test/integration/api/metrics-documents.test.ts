import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wholeScrape } from '../../fixtures/prometheus.js';
import { skipFor } from '../../fixtures/skip.js';

const at = (name: string): string => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
const read = (name: string): string => readFileSync(at(name), 'utf8');

interface Described {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Names, types and label names of a scrape; the parts of a histogram count as one metric. */
function scraped(text: string): Map<string, Described> {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  return new Map(
    [...types].map(([name, type]) => {
      const part = type === 'histogram' ? '(?:_bucket|_sum|_count)' : '';
      const samples = [...text.matchAll(new RegExp(`^${name}${part}(?:\\{(.*)\\})? \\S+$`, 'gm'))];
      expect(samples, `${name} has no sample to compare`).not.to.have.length(0);
      const labels = samples.flatMap(([, inside = '']) =>
        [...inside.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
      );
      return [name, { type, labels: [...new Set(labels)].filter((label) => label !== 'le').sort() }];
    }),
  );
}

function documented(): Map<string, Described> {
  const rows = read('metrics.md').matchAll(/^\| `(svc_\w+)` +\| (\w+) +\| ([^|]*)\|/gm);
  return new Map(
    [...rows].map(([, name = '', type = '', labels = '']) => [
      name,
      {
        type,
        labels: labels
          .split(/,| or /)
          .map((label) => label.trim())
          .filter((label) => label !== '')
          .sort(),
      },
    ]),
  );
}

/** Every metric in a text, histograms without their suffix. */
const namesIn = (text: string): readonly string[] =>
  [...new Set(text.match(/\bsvc_\w+/g))].map((name) => name.replace(/_(bucket|sum|count)$/, ''));

describe('docs/metrics.md', () => {
  it('lists every metric with its type and labels, and no other', async () => {
    const [shown, told] = [scraped(await wholeScrape()), documented()];
    expect([...told.keys()].sort()).to.deep.equal([...shown.keys()].sort());
    for (const [name, described] of told)
      expect({ name, ...described }).to.deep.equal({ name, ...shown.get(name) });
  });
});

describe('the Grafana dashboards', () => {
  for (const file of ['ridethrough.json', 'fleet.json'])
    it(`query only metrics that exist, and have a number for each panel: ${file}`, () => {
      const text = read(`grafana/${file}`);
      const { panels } = JSON.parse(text) as { panels: { id: number }[] };
      const known = documented();
      expect(namesIn(text).filter((name) => !known.has(name))).to.deep.equal([]);
      expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    });
});

describe('the Prometheus alert rules', () => {
  const promtool = (
    ...args: readonly string[]
  ): { readonly status: number | null; readonly said: string } => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      encoding: 'utf8',
      cwd: at('prometheus'),
    });
    return { status, said: stdout + stderr };
  };
  const testFiles = ['alerts.test.yaml', 'alerts-week.test.yaml', 'fleet-rules.test.yaml'];
  const present = spawnSync('promtool', ['--version']).status === 0;

  it('query only metrics that exist', () => {
    const known = documented();
    for (const file of ['alerts.yaml', 'fleet-rules.yaml'])
      expect(namesIn(read(`prometheus/${file}`)).filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('have a promtool test each', () => {
    const rules = [...read('prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tests = testFiles.map((file) => read(`prometheus/${file}`)).join('');
    const proven = [...tests.matchAll(/alertname: (\w+)\n +exp_alerts:/g)].map(([, name]) => name);
    expect(rules.filter((name) => !proven.includes(name))).to.deep.equal([]);
  });

  it('pass promtool, and fire and clear as their tests expect', function () {
    skipFor(this, !present && 'there is no promtool (Debian package prometheus)');
    expect(promtool('check', 'rules', 'alerts.yaml', 'fleet-rules.yaml')).to.include({ status: 0 });
    const tested = promtool('test', 'rules', ...testFiles);
    expect(tested.status, tested.said).to.equal(0);
  });
});
