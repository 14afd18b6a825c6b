// Three machines, each with a daemon whose UPS has the usual name, in one real Prometheus: nothing of the alerts and dashboards
// takes one for the other.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../../fixtures/prometheus.js';
import { Prometheus, wholeScrape } from '../../fixtures/prometheus.js';
import { skipFor } from '../../fixtures/skip.js';
import { until } from '../../fixtures/until.js';

const at = (name: string): string => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
const machines = ['pve1:9191', 'pve2:9191', 'nas:9191'];
const present = spawnSync('prometheus', ['--version']).status === 0;

interface Query {
  readonly title: string;
  readonly expr: string;
  readonly legend: string;
}

function queries(file: string): readonly Query[] {
  const { panels } = JSON.parse(readFileSync(at(`grafana/${file}`), 'utf8')) as {
    panels: { title: string; type: string; targets?: { expr: string; legendFormat?: string }[] }[];
  };
  return panels.flatMap(({ title, type, targets = [] }) => {
    if (type !== 'row') expect(targets, title).not.to.have.length(0);
    return targets.map(({ expr, legendFormat = '' }) => ({ title, expr, legend: legendFormat }));
  });
}

const filled = (expr: string, instance: string): string =>
  expr
    .replaceAll('$instance', instance)
    .replaceAll('$ups', '.*')
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '1m');

describe('one Prometheus with three daemons', function () {
  let prometheus: Prometheus;
  let lost = false;
  before(async function () {
    skipFor(this, !present && 'there is no prometheus (Debian package prometheus)');
    const text = await wholeScrape();
    const outage = text.replaceAll(/^(svc_ups_status\{.*flag="(?:OB|RB)".*\}) 0$/gm, '$1 1');
    expect(outage.match(/flag="(OB|RB)".*1$/gm)).to.have.length(2);
    prometheus = await Prometheus.start(
      machines.map((instance, index) => ({
        instance,
        text: () => (index === 2 && lost ? null : index === 0 ? outage : text),
      })),
      { rules: [at('prometheus/alerts.yaml')] },
    );
    await until(
      () => prometheus.query('count(count_over_time(up[1m]) >= 2)'),
      ([all]) => all?.value === 3,
    );
  });
  after(() => prometheus?.stop());

  const shownBy = (samples: readonly Sample[]) => new Set(samples.map(({ labels }) => labels['instance']));
  const ask = (expr: string, instance = '.*') => prometheus.query(filled(expr, instance));

  it('has an answer for each panel of the dashboard, for one machine or for all', async () => {
    for (const { title, expr, legend } of queries('ridethrough.json')) {
      const [all, one] = [await ask(expr), await ask(expr, 'pve2:9191')];
      if (title === 'Status') {
        // Of what is shown: the words of the outage.
        expect(shownBy(all)).to.deep.equal(new Set(['pve1:9191']));
        continue;
      }
      expect(all, title).not.to.have.length(0);
      if (/by \(label\)/.test(expr)) {
        // In a row that is repeated for each machine.
        expect(legend, title).to.contain('$instance');
        expect(all, title).to.have.length(one.length);
        continue;
      }
      expect(legend === '' || legend.includes('{{instance}}'), title).to.equal(true);
      if (all.length >= 3) expect(shownBy(all), title).to.deep.equal(new Set(machines));
      expect(all.length === 1 ? 3 : all.length, title).to.equal(3 * one.length);
      for (const { labels } of one) expect(labels['instance'], title).to.equal('pve2:9191');
    }
  });

  it('has an answer for each panel of the fleet, with the worst first', async () => {
    const empty = ['Machines that do not', 'UPSes not seen', 'Machines that do not answer'];
    for (const { title, expr } of queries('fleet.json'))
      if ((await ask(expr)).length === 0) expect(title).to.be.oneOf(empty);
    const worst = queries('fleet.json').find(({ title }) => title === 'Worst first')?.expr ?? '';
    const urgency = (await ask(worst)).map(({ labels, value }) => [labels['instance'], value] as const);
    expect(new Map(urgency)).to.deep.equal(
      new Map([
        ['pve1:9191', 9],
        ['pve2:9191', 0],
        ['nas:9191', 0],
      ]),
    );
    const outages = queries('fleet.json').find(({ title }) => title === 'On battery')?.expr ?? '';
    expect(shownBy(await ask(outages))).to.deep.equal(new Set(['pve1:9191']));
  });

  it('raises the alert of one machine with its name, and says which machine is gone', async () => {
    const firing = () => prometheus.query('ALERTS{alertname="UpsOnBattery",alertstate="firing"}');
    expect(shownBy(await until(firing, ({ length }) => length > 0))).to.deep.equal(new Set(['pve1:9191']));
    lost = true;
    const gone = queries('fleet.json').find(({ title }) => title === 'Machines that do not answer');
    const down = await until(
      () => ask(gone?.expr ?? ''),
      ({ length }) => length > 0,
    );
    expect(shownBy(down)).to.deep.equal(new Set(['nas:9191']));
    // Its UPS stays in the list as long as its last scrape is known, then the machine alone.
    const pending = () => prometheus.query('ALERTS{alertname="RidethroughDown"}');
    expect(shownBy(await until(pending, ({ length }) => length > 0))).to.deep.equal(new Set(['nas:9191']));
  });
});
