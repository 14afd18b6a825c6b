// The metrics in the format of OpenMetrics, read by the parser of Prometheus' own client for Python, which refuses what the
// format does not allow. And the second family of names, read by promtool.
import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { heldPort } from '../../fixtures/held-port.js';
import { skipFor } from '../../fixtures/skip.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, until } from '../../fixtures/until.js';
import { publishedUps, startedApi } from '../../workers/api/fixture.js';
import { ask } from '../../workers/api/raw.js';

/** Debian's own, for which the package is: another one may come first in PATH. */
const python = '/usr/bin/python3';
const parser = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.name, family.type, len(family.samples))
`;
const present = spawnSync(python, ['-c', 'import prometheus_client.openmetrics.parser']).status === 0;
const promtool = spawnSync('promtool', ['--version']).status === 0;

const accepts = 'Host: localhost\r\nAccept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n';
const ups = [
  publishedUps({ label: 'a"b\\c\nd', realPower: 3, status: 'OL ODD' }),
  publishedUps({ name: 'b', groupId: 'b' }),
];

describe('the metrics in the format of OpenMetrics', () => {
  it('are valid, under any prefix, with the names of nut_exporter beside them', async function () {
    skipFor(this, !present && 'there is no parser (Debian package python3-prometheus-client)');
    const metrics = { enabled: true, prefix: 'power', nutExporterNames: true };
    const api = await startedApi({ settings: { metrics } });
    await api.publish({ ups });
    const { headers, body } = await ask(api, '/metrics', { headers: accepts });
    const plain = await ask(api, '/metrics');
    await api.end();
    expect(headers['content-type']).to.equal('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(headers['vary']).to.equal('Accept');
    expect(body.endsWith('# EOF\n')).to.equal(true);
    const { status, stdout, stderr } = spawnSync(python, ['-c', parser], {
      input: body,
      encoding: 'utf8',
    });
    expect(stderr).to.equal('');
    expect(status).to.equal(0);
    const families = stdout.trim().split('\n');
    expect(families).to.include.members([
      'power_up gauge 1',
      'power_ups_polls counter 4',
      'power_ups_poll_duration_seconds histogram 28',
      'network_ups_tools_battery_charge gauge 2',
    ]);
    expect(families.filter((one) => /^(svc|nodejs)_/.test(one))).to.deep.equal([]);
    // The same series in both formats: a scraper that changes its mind begins no new ones. A request adds its own.
    const series = (text: string): readonly string[] =>
      text
        .split('\n')
        .flatMap((line) =>
          /^\w/.test(line) && !line.includes('http_request') ? [line.replace(/ [^ ]*$/, '')] : [],
        );
    expect(series(body)).to.deep.equal(series(plain.body));
  });

  it('are no problem for promtool in the plain format either', async function () {
    skipFor(this, !promtool && 'there is no promtool (Debian package prometheus)');
    const api = await startedApi({
      settings: { metrics: { enabled: true, prefix: 'a1', nutExporterNames: true } },
    });
    await api.publish({ ups });
    const { body } = await ask(api, '/metrics');
    await api.end();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: body,
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).to.deep.equal({ status: 0, said: '' });
  });

  it('are scraped by a real Prometheus', async function () {
    skipFor(this, !promtool && 'there is no Prometheus (Debian package prometheus)');
    const api = await startedApi({
      settings: { metrics: { enabled: true, prefix: 'svc', nutExporterNames: true } },
    });
    await api.publish({ ups });
    const folder = temporaryFolder();
    const own = `127.0.0.1:${String(await heldPort())}`;
    const file = join(folder, 'prometheus.yml');
    const target = `127.0.0.1:${String(api.port)}`;
    writeFileSync(
      file,
      `global: {scrape_interval: 1s}\nscrape_configs: [{job_name: test, static_configs: [{targets: ['${target}']}]}]\n`,
    );
    const server = spawn(
      'prometheus',
      [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${own}`],
      { stdio: 'ignore' },
    );
    try {
      const targets = async (): Promise<string> =>
        fetch(`http://${own}/api/v1/targets`).then(
          (answer) => answer.text(),
          () => '',
        );
      // A scrape has one second, which may be too short for a busy machine: the next may not.
      const seen = await until(targets, includes('"health":"up"'));
      expect(/"lastError":"(?<error>.*?)","/.exec(seen)?.groups?.['error']).to.equal('');
    } finally {
      server.kill('SIGKILL');
      await api.end();
    }
  });

  it('take a changed prefix at once', async () => {
    const api = await startedApi();
    await api.publish({ ups });
    const before = await ask(api, '/metrics');
    api.body.reconfigure({
      ...api.settings,
      metrics: { enabled: true, prefix: 'other', nutExporterNames: false },
    });
    const after = await ask(api, '/metrics');
    await api.end();
    expect(before.body).to.match(/^svc_ups_battery_charge/m);
    expect(after.body)
      .to.match(/^other_ups_battery_charge/m)
      .and.not.to.match(/^svc_/m);
  });
});
