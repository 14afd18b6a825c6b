import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RemoteHealthRow } from '../../../shared/domain/status-model.js';
import { assessedBattery } from '../../fixtures/assessed-battery.js';
import { publishedUps, redundancyGroup, startedApi } from '../../workers/api/fixture.js';
import { ask } from '../../workers/api/raw.js';
import { skipFor } from '../../fixtures/skip.js';

const at = (name: string): string => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
const read = (name: string): string => readFileSync(at(name), 'utf8');

interface Described {
  readonly type: string;
  readonly labels: readonly string[];
}

/** A scrape with every metric: a UPS with every reading, a group, a server of each. */
async function scrape(): Promise<string> {
  const api = await startedApi();
  const server = {
    server: 'nas',
    host: '192.0.2.9',
    status: 'HEALTHY',
    consecutiveFailures: 0,
    lastError: null,
  } as const;
  const powerQuality = {
    ...publishedUps().row.powerQuality,
    batteryVoltage: '27.1',
    temperature: '31.5',
    outputFrequency: '50.0',
  };
  const selfTest = { result: 'PASSED', date: null };
  const ups = publishedUps({ realPower: 312, powerQuality, remoteHealth: [server], selfTest });
  const remote: RemoteHealthRow = {
    server: 'nas',
    host: '192.0.2.9',
    user: 'root',
    group: ups.row.groupId,
    groupKind: 'ups',
    status: 'HEALTHY',
    lastCheckedAt: 1,
    lastSuccessAt: 1,
    lastError: null,
    latencyMs: 40,
    consecutiveFailures: 0,
  };
  await api.publish({
    ups: [{ row: ups.row, telemetry: { ...ups.telemetry, batteryHealth: assessedBattery } }],
    redundancyGroups: [{ ...redundancyGroup, remoteHealth: [server] }],
    remoteHealth: [remote, { ...remote, group: redundancyGroup.groupId, groupKind: 'redundancy' }],
    storage: { samplesDropped: 1, flushSeconds: { counts: [1], sum: 0.1 } },
  });
  await ask(api, '/health');
  const { body } = await ask(api, '/metrics');
  await api.end();
  return body;
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
    const [shown, told] = [scraped(await scrape()), documented()];
    expect([...told.keys()].sort()).to.deep.equal([...shown.keys()].sort());
    for (const [name, described] of told)
      expect({ name, ...described }).to.deep.equal({ name, ...shown.get(name) });
  });
});

describe('the Grafana dashboard', () => {
  const text = read('grafana/ridethrough.json');
  const { panels } = JSON.parse(text) as {
    panels: { id: number; title: string; type: string; targets?: { expr: string }[] }[];
  };

  it('queries only metrics that exist', () => {
    const known = documented();
    expect(namesIn(text).filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('has a panel for each subject, and data for each panel', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    const empty = panels.filter(
      ({ type, targets = [] }) => type !== 'row' && targets.every(({ expr }) => expr === ''),
    );
    expect(empty).to.deep.equal([]);
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
  const testFiles = ['alerts.test.yaml', 'alerts-week.test.yaml'];
  const present = spawnSync('promtool', ['--version']).status === 0;

  it('query only metrics that exist', () => {
    const known = documented();
    expect(namesIn(read('prometheus/alerts.yaml')).filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('have a promtool test each', () => {
    const rules = [...read('prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tests = testFiles.map((file) => read(`prometheus/${file}`)).join('');
    const proven = [...tests.matchAll(/alertname: (\w+)\n +exp_alerts:/g)].map(([, name]) => name);
    expect(rules.filter((name) => !proven.includes(name))).to.deep.equal([]);
  });

  it('pass promtool, and fire and clear as their tests expect', function () {
    skipFor(this, !present && 'there is no promtool (Debian package prometheus)');
    expect(promtool('check', 'rules', 'alerts.yaml')).to.include({ status: 0 });
    const tested = promtool('test', 'rules', ...testFiles);
    expect(tested.status, tested.said).to.equal(0);
  });
});
