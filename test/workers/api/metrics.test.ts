import { expect } from 'chai';
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import { Metrics } from '../../../workers/api/metrics/registry.js';
import { upsFamilies } from '../../../workers/api/metrics/ups-families.js';
import { upsText } from '../../../workers/api/metrics/ups.js';
import { Model } from '../../../workers/api/model/model.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import type { Request } from '../../../workers/api/http/route.js';
import type { ApiUnderTest } from './fixture.js';
import { modelChange, publishedUps, row, startedApi } from './fixture.js';
import { ask } from './raw.js';

/** Counts its reads. */
class ReadModel extends Model {
  reads = 0;

  override get ups(): readonly PublishedUps[] {
    this.reads += 1;
    return super.ups;
  }
}

describe('GET /metrics', () => {
  let api: ApiUnderTest;
  beforeEach(async () => void (api = await startedApi()));
  afterEach(() => api.end());

  const lines = async (): Promise<readonly string[]> => (await ask(api, '/metrics')).body.split('\n');
  const office = 'ups="office@127.0.0.1",label="Office"';

  it('is Prometheus text', async () =>
    expect((await ask(api, '/metrics')).headers['content-type']).to.equal(
      'text/plain; version=0.0.4; charset=utf-8',
    ));

  it('has a sample for every available reading', async () => {
    await api.publish({ ups: [publishedUps({ realPower: 312, triggerActive: true, timeOnBattery: 12.5 })] });
    expect(await lines()).to.include.members([
      'svc_up 1',
      'svc_build_info{version="9.8.7"} 1',
      `svc_ups_battery_charge{${office}} 87`,
      `svc_ups_runtime_seconds{${office}} 1830`,
      `svc_ups_load_percent{${office}} 23.5`,
      `svc_ups_real_power_watts{${office}} 312`,
      `svc_ups_input_voltage{${office}} 229.8`,
      `svc_ups_output_voltage{${office}} 230.1`,
      `svc_ups_input_frequency_hz{${office}} 50`,
      `svc_ups_nominal_voltage{${office}} 230`,
      `svc_ups_voltage_warning_low{${office}} 207`,
      `svc_ups_voltage_warning_high{${office}} 253`,
      `svc_ups_depletion_rate_percent_per_minute{${office}} 0`,
      `svc_ups_time_on_battery_seconds{${office}} 12.5`,
      `svc_ups_connection_failed{${office}} 0`,
      `svc_ups_trigger_active{${office}} 1`,
      `svc_ups_voltage_state{${office},state="NORMAL"} 1`,
      `svc_ups_voltage_state{${office},state="LOW"} 0`,
      `svc_ups_avr_state{${office},state="TRIM"} 0`,
      `svc_ups_bypass_state{${office},state="INACTIVE"} 1`,
      `svc_ups_overload_state{${office},state="ACTIVE"} 0`,
      `svc_ups_status{${office},flag="OL"} 1`,
      `svc_ups_status{${office},flag="CHRG"} 1`,
      `svc_ups_status{${office},flag="DISCHRG"} 0`,
      `svc_ups_info{${office},manufacturer="Eaton",model="5P 1550i",serial="G1",firmware="02.14"} 1`,
      `svc_ups_last_update_timestamp_seconds{${office}} 1790000000.5`,
      `svc_ups_polls_total{${office},result="OK"} 41`,
      `svc_ups_polls_total{${office},result="TIMEOUT"} 2`,
      `svc_ups_poll_duration_seconds_bucket{${office},le="0.005"} 30`,
      `svc_ups_poll_duration_seconds_bucket{${office},le="0.01"} 40`,
      `svc_ups_poll_duration_seconds_bucket{${office},le="+Inf"} 43`,
      `svc_ups_poll_duration_seconds_sum{${office}} 20.25`,
      `svc_ups_poll_duration_seconds_count{${office}} 43`,
      'svc_shutdown_in_progress 0',
      'svc_notifications{state="pending"} 2',
      'svc_notifications{state="sent"} 5',
      'svc_notifications{state="cancelled"} 1',
      'svc_notification_service_up{service="notifications.urls[0] (ntfy)"} 0',
      'svc_notification_service_pending{service="notifications.urls[0] (ntfy)"} 2',
      'svc_worker_up{worker="api"} 1',
      'svc_worker_restarts_total{worker="api"} 3',
    ]);
  });

  it('has no sample for a missing reading', async () => {
    const missing = publishedUps({ batteryCharge: null, runtime: null, load: null, status: '' });
    const unseen = { ...missing, telemetry: { ...missing.telemetry, lastUpdateTime: null } };
    await api.publish({ ups: [unseen] });
    const text = (await lines()).join('\n');
    for (const name of [
      'battery_charge',
      'runtime_seconds',
      'load_percent',
      'real_power_watts',
      'battery_voltage',
      'temperature_celsius',
      'status',
      'last_update_timestamp_seconds',
    ])
      expect(text, name).not.to.contain(`svc_ups_${name}{`);
    expect(text).not.to.match(/NaN|null|undefined/);
  });

  it('does not parse text as a number', async () => {
    const powerQuality = {
      ...row().powerQuality,
      inputVoltage: 'n/a',
      outputVoltage: ' ',
      batteryVoltage: 'Infinity',
    };
    await api.publish({ ups: [publishedUps({ powerQuality })] });
    expect((await lines()).join('\n')).not.to.match(/svc_ups_(input|output|battery)_voltage\{/);
  });

  it('rejects physically impossible readings, which devices do publish', async () => {
    const powerQuality = {
      ...row().powerQuality,
      inputVoltage: '3946.0',
      outputVoltage: '0x41',
      batteryVoltage: '13.' + '5'.repeat(40),
      inputFrequency: '0.0',
      outputFrequency: '1e3',
      temperature: '255',
    };
    await api.publish({ ups: [publishedUps({ powerQuality })] });
    expect((await lines()).join('\n')).not.to.match(/svc_ups_(\w+put_|battery_voltage|temperature)\S*\{/);
  });

  it('escapes names', async () => {
    await api.publish({ ups: [publishedUps({ label: 'a"b\\c\nd' })] });
    expect(await lines()).to.include(
      'svc_ups_battery_charge{ups="office@127.0.0.1",label="a\\"b\\\\c\\nd"} 87',
    );
  });

  it('shows an unknown status flag', async () => {
    await api.publish({ ups: [publishedUps({ status: 'OB ODD' })] });
    expect(await lines()).to.include.members([
      `svc_ups_status{${office},flag="ODD"} 1`,
      `svc_ups_status{${office},flag="OB"} 1`,
      `svc_ups_status{${office},flag="OL"} 0`,
    ]);
  });

  it('counts groups, remote servers and a running sequence', async () => {
    const server = (change: Partial<RemoteHealthRow>): RemoteHealthRow => ({
      server: 'nas',
      host: '192.0.2.9',
      user: 'root',
      group: 'office-127.0.0.1',
      groupKind: 'ups',
      status: 'FAILED',
      lastCheckedAt: 1_790_000_000,
      lastSuccessAt: null,
      lastError: 'refused',
      latencyMs: 1250,
      consecutiveFailures: 2,
      ...change,
    });
    const remoteHealth = [
      server({}),
      server({ group: 'redundancy-rack', groupKind: 'redundancy', status: 'UNKNOWN', latencyMs: null }),
    ];
    await api.publish({
      ups: [publishedUps()],
      remoteHealth,
      redundancyGroups: [
        {
          groupId: 'redundancy-rack',
          name: 'rack',
          upsSources: [],
          minHealthy: 1,
          healthyCount: 0,
          quorumLost: true,
          quorumDeferred: false,
          members: [],
          isLocal: false,
          shutsDown: { host: false, servers: [] },
          remoteHealth: [],
        },
      ],
      sequence: {
        active: true,
        group: 'redundancy-rack',
        startedAt: 1,
        phase: 'remote_servers',
        pointOfNoReturn: true,
        powerBack: false,
        dryRun: true,
        others: [],
        steps: [],
      },
    });
    expect(await lines()).to.include.members([
      'svc_redundancy_healthy_members{redundancy_group="rack"} 0',
      'svc_redundancy_quorum_lost{redundancy_group="rack"} 1',
      'svc_remote_health_status{ups="office@127.0.0.1",server="nas",host="192.0.2.9",status="FAILED"} 1',
      'svc_remote_health_status{redundancy_group="rack",server="nas",host="192.0.2.9",status="HEALTHY"} 0',
      'svc_remote_health_latency_seconds{ups="office@127.0.0.1",server="nas",host="192.0.2.9"} 1.25',
      'svc_shutdown_in_progress 1',
    ]);
    expect((await lines()).join('\n')).not.to.match(/latency_seconds\{redundancy|last_success\w*\{/);
  });

  it('counts requests by route template, and unmatched ones together', async () => {
    await api.publish();
    for (const path of ['/api/v1/ups/office-127.0.0.1', '/api/v1/ups/nobody', '/a', '/b'])
      await ask(api, path);
    expect(await lines()).to.include.members([
      'svc_http_request_duration_seconds_count{route="/api/v1/ups/{name}",status="200"} 1',
      'svc_http_request_duration_seconds_count{route="/api/v1/ups/{name}",status="404"} 1',
      'svc_http_request_duration_seconds_count{route="unmatched",status="404"} 2',
    ]);
  });

  it('counts a path and the same path with a query or by HEAD as one route', async () => {
    await api.publish();
    for (const path of ['/api/v1/ups', '/api/v1/ups?x=1', 'http://localhost/api/v1/ups#y'])
      for (const method of ['GET', 'HEAD']) expect((await ask(api, path, { method })).status).to.equal(200);
    await ask(api, '/api/v1/ups', { method: 'POST' });
    expect(await lines()).to.include.members([
      'svc_http_request_duration_seconds_count{route="/api/v1/ups",status="200"} 6',
      'svc_http_request_duration_seconds_count{route="/api/v1/ups",status="405"} 1',
    ]);
  });

  it('describes the process under the same prefix and has no nodejs metrics', async () => {
    const text = (await lines()).join('\n');
    expect(text).to.match(/^svc_process_resident_memory_bytes \d+$/m);
    expect(text).to.match(/^svc_process_cpu_seconds_total /m);
    expect(text).not.to.contain('nodejs');
  });

  it('omits the UPSes until the supervisor publishes', async () => {
    const text = (await lines()).join('\n');
    expect(text)
      .to.contain('svc_up 1')
      .and.not.to.match(/^svc_(ups|shutdown|worker)\w*[ {]/m);
  });

  it('is rendered once for simultaneous requests, and again for later ones', async () => {
    const model = new ReadModel();
    model.apply(modelChange());
    const { settings } = api;
    const supervisor = { readings: () => Promise.resolve({ readings: {} }) };
    const route = new Metrics({ version: '1.2.3', model, settings: () => settings, supervisor }).route();
    const text = async () => ((await route.answer({ accept: '' } as Request)).body as Buffer).toString();
    await text();
    const once = model.reads;
    await Promise.all([text(), text(), text()]);
    expect(model.reads).to.equal(2 * once);
    model.apply(modelChange({ ups: [publishedUps({ batteryCharge: 11 })] }));
    expect(await text()).to.match(/^svc_ups_battery_charge\{.*\} 11$/m);
  });

  it('writes a fleet as it writes each UPS alone', async () => {
    const { telemetry } = publishedUps();
    const textOf = async (ups: readonly PublishedUps[]) =>
      Buffer.concat(await upsText(upsFamilies('svc'), ups, 'prometheus')).toString();
    const fleet = [
      publishedUps({ groupId: 'lab', name: 'lab@nas', label: 'Lab \u00e9', status: 'OB ODD' }),
      { ...publishedUps({ name: 'desk' }), telemetry: { ...telemetry, pollsFailed: [], serial: 'a"b' } },
      publishedUps({ batteryCharge: null, status: '' }),
      ...Array.from({ length: 90 }, (_, n) => publishedUps({ groupId: String(n), name: `ups${String(n)}` })),
    ];
    const text = await textOf(fleet);
    for (const ups of fleet) {
      const own = text.split('\n').filter((line) => line.includes(`{ups="${ups.row.name}"`));
      const alone = (await textOf([ups])).split('\n').filter((line) => /^[^#]/.test(line));
      expect(own).to.deep.equal(alone);
    }
    expect(text.match(/^svc_ups_connection_failed\{/gm)).to.have.length(fleet.length);
  });

  it('does not exist while it is off', async () => {
    api.body.reconfigure({ ...api.settings, metrics: { ...api.settings.metrics, enabled: false } });
    for (const method of ['GET', 'HEAD', 'POST'])
      expect((await ask(api, '/metrics', { method })).status, method).to.equal(404);
    expect((await ask(api, '/api/v1')).body).not.to.contain('/metrics');
  });
});
