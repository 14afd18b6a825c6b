import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Received } from '../../fixtures/broker.js';
import { Broker } from '../../fixtures/broker.js';
import { makeCertificate } from '../../fixtures/certificates.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RealUpsd, nearlyEmpty, onBattery } from '../../fixtures/real-upsd.js';
import type { DaemonOptions, RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { hasAtLeast, includes, isAtLeast, matches, until } from '../../fixtures/until.js';
import type { StatusBody } from '../../../shared/http/bodies.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const onLine =
  'ups.status: OL\nbattery.charge: 100\nbattery.runtime: 3600\nups.load: 23\ninput.voltage: 230.1\n';

const host = hostname().replace(/[^A-Za-z0-9_-]/g, '_');

/** Settles when the daemon has tried `count` times to connect; the listener closes each connection. */
async function attempts(port: number, count: number): Promise<void> {
  let seen = 0;
  const stranger = createServer((socket) => {
    seen += 1;
    socket.on('error', () => undefined).destroy();
  });
  stranger.listen(port, '127.0.0.1');
  await until(() => seen, isAtLeast(count));
  stranger.close();
  await once(stranger, 'close');
}

describe('the MQTT publication of a daemon', () => {
  let upsd: RealUpsd;
  let broker: Broker;
  let daemon: RunningDaemon | undefined;
  beforeEach(async () => {
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    daemon = undefined;
  });
  afterEach(async () => {
    await daemon?.stop();
    await Promise.all([upsd.stop(), broker.stop()]);
  });

  const toml = (mqtt: string): string =>
    configurationFor({ port: upsd.port, checkInterval: 0.2, apiPort: 0, more: `[mqtt]\n${mqtt}\n` });
  const plain = (more = ''): string =>
    toml(`enabled = true\nbroker = "mqtt://127.0.0.1:${String(broker.port)}"\npublish_interval = 1\n${more}`);
  const start = async (text: string, options: Partial<DaemonOptions> = {}): Promise<RunningDaemon> =>
    (daemon = await startDaemon({ toml: text, ...options }));
  const metric = async (): Promise<string | undefined> => {
    const text = await (await fetch(`http://127.0.0.1:${String(daemon?.apiPort)}/metrics`)).text();
    return /^svc_mqtt_connected (\d)$/m.exec(text)?.[1];
  };
  const connected = (wanted: '0' | '1'): Promise<unknown> => until(metric, (seen) => seen === wanted);
  const statuses = (heard: readonly Received[]): StatusBody[] =>
    heard
      .filter(({ topic }) => topic === 'svc/status')
      .map(({ payload }) => JSON.parse(payload) as StatusBody);
  const logged = (text: string): Promise<unknown> => until(() => daemon?.log() ?? '', includes(text));

  it('repeats what the API shows, with sorted keys, at QoS 0 and not retained', async () => {
    const startedSeconds = Date.now() / 1000;
    broker = await Broker.start();
    const received = await broker.listen();
    await start(plain());
    const seen = await until(
      () => received.filter(({ payload }) => payload.includes('"nominalVoltage":230')),
      hasAtLeast(3),
    );
    const [first] = seen;
    const shown = async () =>
      (await (await fetch(`http://127.0.0.1:${String(daemon?.apiPort)}/api/v1/ups`)).json()) as StatusBody;
    // The row changes with the first assessment of the battery, some seconds after the start.
    const [body] = await until(
      async () => [statuses(received).at(-1), await shown()] as const,
      ([published, row]) => isDeepStrictEqual({ ...published, generatedAt: 0 }, { ...row, generatedAt: 0 }),
    );
    if (body === undefined) throw new Error('nothing was published');
    expect(body.generatedAt).to.be.within(startedSeconds, Date.now() / 1000);
    for (const object of [body, body.ups[0] ?? {}, body.ups[0]?.powerQuality ?? {}])
      expect(Object.keys(object)).to.deep.equal(Object.keys(object).sort());
    expect({ topic: first?.topic, qos: first?.qos }).to.deep.equal({ topic: 'svc/status', qos: 0 });
    expect(await broker.kept('svc/#')).to.deep.equal({});
  });

  it('follows an outage', async () => {
    broker = await Broker.start();
    const received = await broker.listen();
    await start(plain().replace('publish_interval = 1', 'publish_interval = 3600'));
    const latest = () => statuses(received).at(-1)?.ups[0];
    await until(latest, (row) => row?.status === 'OL' && row.connectionState === 'OK');
    const before = received.length;
    await upsd.rewrite('office', onBattery);
    await until(latest, (row) => row?.status === 'OB DISCHRG' && row.batteryCharge === 90);
    await upsd.rewrite('office', nearlyEmpty);
    await until(latest, (row) => row?.triggerActive === true && row.triggerReason !== '');
    await until(() => daemon?.powerOffs() ?? [], hasAtLeast(1));
    await upsd.rewrite('office', onLine);
    await until(latest, (row) => row?.status === 'OL' && row.timeOnBattery === 0 && !row.triggerActive);
    // When each was sent: a busy machine delivers two at once.
    const times = statuses(received.slice(before)).map(({ generatedAt }) => generatedAt);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.min(...gaps)).to.be.above(0.2);
  });

  it('reconnects to a broker that was killed, and logs the loss once', async () => {
    broker = await Broker.start();
    await start(plain());
    await connected('1');
    await broker.kill();
    await connected('0');
    await logged('Nothing is published until it is connected again');
    await attempts(broker.port, 2);
    await broker.run();
    const received = await broker.listen();
    await connected('1');
    await until(() => statuses(received).length > 0);
    const reasons = [...(daemon?.log() ?? '').matchAll(/the broker \S+ (.*)\. Nothing is published/g)].map(
      ([, reason]) => reason,
    );
    expect(reasons).to.not.be.empty;
    expect(reasons.filter((reason, index) => reason === reasons[index - 1])).to.deep.equal([]);
  });

  it('uses TLS with user name and password for a broker with a trusted certificate', async () => {
    const certificate = await makeCertificate();
    const account = { username: 'ups', password: 'S3cr3t p@ss' };
    broker = await Broker.start({ tls: certificate, account });
    const file = join(temporaryFolder(), 'ca.pem');
    writeFileSync(file, certificate.certPem);
    const received = await broker.listen();
    await start(
      toml(`enabled = true\nbroker = "mqtts://ups:S3cr3t%20p%40ss@127.0.0.1:${String(broker.port)}"`),
      { env: { NODE_EXTRA_CA_CERTS: file } },
    );
    await until(() => statuses(received).length > 0);
    expect(daemon?.log()).not.to.match(/S3cr3t/);
  });

  it('does not connect to a broker with an untrusted certificate', async () => {
    broker = await Broker.start({ tls: await makeCertificate() });
    const received = await broker.listen();
    await start(toml(`enabled = true\nbroker = "mqtts://127.0.0.1:${String(broker.port)}"`));
    await logged('has a certificate that this system does not trust');
    expect(received).to.deep.equal([]);
    expect(await metric()).to.equal('0');
  });

  it('reports a rejected password, without showing it, and stops immediately with the daemon', async () => {
    broker = await Broker.start({ account: { username: 'ups', password: 'right-one' } });
    const secrets = 'username = "ups"\npassword = "wr0ng-one"';
    await start(plain(secrets));
    await logged('check mqtt.username and mqtt.password');
    const refusals = (): number => broker.log.match(/not authori[sz]ed/gi)?.length ?? 0;
    // During the backoff of 2 s or more: a stop that waits for it would be late.
    const made = await until(refusals, (count) => count >= 2);
    daemon?.signal('SIGTERM');
    expect(await daemon?.exited).to.equal(0);
    expect(refusals()).to.equal(made);
    expect(daemon?.log()).not.to.contain('wr0ng-one');
    expect(daemon?.log().match(/check mqtt\.username/g)).to.have.length(1);
  });

  it('reports availability: online, and offline after a stop or a kill', async () => {
    broker = await Broker.start();
    const topic = `svc/${host}/availability`;
    const availability = async () => (await broker.kept(topic))[topic];
    await start(plain('availability = true'));
    await until(availability, (word) => word === 'online');
    daemon?.signal('SIGTERM');
    await daemon?.exited;
    await until(availability, (word) => word === 'offline');
    await daemon?.stop();
    await start(plain('availability = true'));
    await until(availability, (word) => word === 'online');
    daemon?.signal('SIGKILL');
    await until(availability, (word) => word === 'offline');
  });

  it('says once that another daemon publishes under the same prefix', async () => {
    broker = await Broker.start();
    await broker.keep('svc/nas/availability', 'online');
    await broker.keep('svc/retired/availability', 'offline');
    await start(plain('availability = true\ndiscovery = true'));
    await logged('the daemon of nas publishes at this broker under svc too');
    daemon?.configure(plain('availability = true\ndiscovery = true').replace('interval = 1', 'interval = 2'));
    daemon?.signal('SIGHUP');
    const received = await broker.listen(`svc/${host}/status`);
    await until(() => received, hasAtLeast(3));
    expect(daemon?.log().match(/publishes at this broker/g)).to.have.length(1);
    expect(daemon?.log()).not.to.contain('daemon of retired').and.not.to.contain(`daemon of ${host}`);
  });

  it('announces each UPS to Home Assistant, and removes what a reload removed', async () => {
    broker = await Broker.start();
    const documents = () => broker.kept('homeassistant/#');
    await start(plain('discovery = true\navailability = true'));
    const found = await until(documents, (kept) =>
      Object.keys(kept).some((topic) => topic.includes('voltage')),
    );
    const charge = Object.entries(found).find(([topic]) => topic.endsWith('/battery_charge/config'));
    const node = `ridethrough_${host}_office-127_0_0_1`;
    expect(charge?.[0]).to.match(new RegExp(`^homeassistant/sensor/${node}-\\d+_[0-9a-f]{8}/`));
    expect(JSON.parse(charge?.[1] ?? '')).to.deep.include({
      state_topic: `svc/${host}/status`,
      availability_topic: `svc/${host}/availability`,
      device_class: 'battery',
      unit_of_measurement: '%',
      expire_after: 60,
    });
    expect(Object.keys(found).some((topic) => topic.includes('temperature'))).to.equal(false);
    daemon?.configure(plain('topic_prefix = "site/ups"'));
    daemon?.signal('SIGHUP');
    await until(documents, (kept) => Object.keys(kept).length === 0);
    await until(
      () => broker.kept('svc/#'),
      (kept) => Object.keys(kept).length === 0,
    );
    const received = await broker.listen('site/ups/status');
    await until(() => received.length > 0);
  });

  it('starts and stops by reload, without a restart of the daemon', async () => {
    broker = await Broker.start();
    const received = await broker.listen();
    await start(toml('enabled = false'));
    expect(await metric()).to.equal(undefined);
    daemon?.configure(plain());
    daemon?.signal('SIGHUP');
    await until(() => statuses(received).length > 0);
    daemon?.configure(toml('enabled = false'));
    daemon?.signal('SIGHUP');
    await until(metric, (seen) => seen === undefined);
    await until(() => broker.log, matches(/Client ridethrough-\w+ disconnected/));
  });
});
