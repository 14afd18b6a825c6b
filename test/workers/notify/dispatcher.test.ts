import { expect } from 'chai';
import { noProxies } from '../../../shared/domain/services/outbound-proxies.js';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import type { DeliveryReport, NotifySettings, Task } from '../../../shared/protocol/notify.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import { Dispatcher } from '../../../workers/notify/dispatcher.js';
import type { HttpServer } from '../../integration/notify/http-server.js';
import { fine, startHttp, status } from '../../integration/notify/http-server.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';
import { hasAtLeast, until } from '../../fixtures/until.js';
import { news, plainRules } from './fixture.js';

describe('the notification dispatcher', () => {
  let good: HttpServer;
  let bad: HttpServer;
  let time: FakeTime;
  let reports: DeliveryReport[];
  let log: LogRecord[];
  let kept: readonly string[];
  let settings: NotifySettings;
  let dispatcher: Dispatcher;

  beforeEach(async () => {
    good = await startHttp(fine);
    bad = await startHttp(status(500));
    time = new FakeTime();
    [reports, log] = [[], []];
    const url = ({ port }: HttpServer): string => `gotify://127.0.0.1:${String(port)}/tok`;
    settings = {
      services: [
        { ...plainRules, id: 'good', name: 'notifications.urls[0] (gotify)', url: url(good) },
        { ...plainRules, id: 'bad', name: 'notifications.urls[1] (gotify)', url: url(bad) },
      ],
      title: 'nas01',
      mailHostName: null,
      proxies: noProxies,
      sources: [],
      timeoutMs: 10_000,
      retryIntervalMs: 5000,
      retryBackoffMaxMs: 300_000,
      maxAttempts: 0,
      maxAgeSeconds: 86_400,
      maxPending: 100,
    };
    dispatcher = new Dispatcher(settings, {
      clock: time,
      setTimer: time.setTimer,
      random: () => 0,
      log: loggerTo('notify', time, (record) => log.push(record)),
      addresses: { keep: (hosts) => (kept = hosts) },
      network: { lookup: (_host, _options, done) => done(null, '127.0.0.1', 4), hostName: 'nas01' },
      report: (report) => reports.push(report),
    });
  });
  afterEach(async () => {
    await dispatcher.drain(0);
    await Promise.all([good.close(), bad.close()]);
  });

  const task = (...given: Parameters<typeof news>): Task => ({
    notification: news(...given),
    waiting: ['good', 'bad'].map((service) => ({ service, attempts: 0 })),
    bornMs: time.monotonicMs(),
  });
  /** Lets `count` deliveries be reported. */
  const told = async (count: number): Promise<string[]> => {
    const all = (): string[] =>
      reports.flatMap(({ deliveries }) =>
        deliveries.map(({ delivery: { service, state, reason } }) => `${service} ${reason ?? state}`),
      );
    await until(async () => {
      await time.pass(50);
      return all();
    }, hasAtLeast(count));
    return all().sort();
  };

  it('delivers a message to every service, independently', async () => {
    dispatcher.take([task('ON_BATTERY', time)]);
    expect(await told(2)).to.deep.equal(['bad pending', 'good sent']);
    await time.pass(5000);
    await told(3);
    await time.pass(10_000);
    expect(await told(4)).to.deep.equal(['bad pending', 'bad pending', 'bad pending', 'good sent']);
    expect(bad.received.length).to.equal(3);
    expect(good.received.length).to.equal(1);
    expect(reports.at(-1)?.services.map(({ pending }) => pending)).to.deep.equal([0, 1]);
  });

  it('resumes only services with a waiting message', async () => {
    dispatcher.take([{ ...task('ON_BATTERY', time), waiting: [{ service: 'good', attempts: 3 }] }]);
    expect(await told(1)).to.deep.equal(['good sent']);
    expect(reports.flatMap(({ deliveries }) => deliveries)[0]?.delivery.attempts).to.equal(4);
    expect(bad.received).to.deep.equal([]);
  });

  it('drops messages for a service that is no longer configured', async () => {
    dispatcher.take([{ ...task('ON_BATTERY', time), waiting: [{ service: 'gone', attempts: 1 }] }]);
    expect(await told(1)).to.deep.equal(['gone superseded']);
    dispatcher.take([task('OVERLOAD_ACTIVE', time)]);
    await told(3);
    dispatcher.reconfigure({ ...settings, services: settings.services.slice(0, 1) });
    expect(await told(4)).to.deep.equal(['bad pending', 'bad superseded', 'gone superseded', 'good sent']);
    expect(reports.at(-1)?.services.map(({ pending }) => pending)).to.deep.equal([0]);
    expect(log.at(-1)?.message).to.equal(
      'notifications.urls[1] (gotify): its address is no longer in the configuration; 1 message for it dropped',
    );
  });

  it('accepts a message once, even after its delivery', async () => {
    const one = task('ON_BATTERY', time);
    dispatcher.take([one, one]);
    await told(2);
    dispatcher.take([one]);
    await settled();
    await time.pass(100);
    expect(good.received.length).to.equal(1);
  });

  it('tests every service and returns their answers in order', async () => {
    const services = await dispatcher.test();
    expect(services.map(({ name, delivered }) => [name, delivered])).to.deep.equal([
      ['notifications.urls[0] (gotify)', true],
      ['notifications.urls[1] (gotify)', false],
    ]);
    expect(services[1]?.message).to.equal('it reports an internal error (HTTP 500)');
    expect(good.received[0]?.body['title']).to.equal('nas01: Test message');
    expect(good.received[0]?.body['message']).to.match(/^This is a test message of ridethrough/);
  });

  it('tests them in the order of the configuration after a reload', async () => {
    const [first, second] = settings.services;
    dispatcher.reconfigure({ ...settings, services: [second, first].flatMap((one) => one ?? []) });
    const services = await dispatcher.test();
    expect(services.map(({ name }) => name)).to.deep.equal([
      'notifications.urls[1] (gotify)',
      'notifications.urls[0] (gotify)',
    ]);
  });

  it('uses the host name as the default title', async () => {
    dispatcher.reconfigure({ ...settings, title: null });
    dispatcher.take([task('ON_BATTERY', time)]);
    await told(2);
    expect(good.received[0]?.body['title'])
      .to.match(/^.+: On battery$/)
      .and.not.match(/^nas01/);
  });

  it('resolves the names of its services in advance', () => {
    expect(kept).to.deep.equal(['127.0.0.1', '127.0.0.1']);
  });

  it('reports a thousand deliveries in few batches', async () => {
    bad.close().catch(() => undefined);
    const most = { ...settings, maxPending: 2000, services: settings.services.slice(1) };
    dispatcher.reconfigure(most);
    const waiting = [{ service: 'bad', attempts: 0 }];
    dispatcher.take(Array.from({ length: 1200 }, () => ({ ...task('BATTERY_REPLACE', time), waiting })));
    dispatcher.reconfigure({ ...most, services: [] });
    await settled();
    await time.pass(50);
    expect(reports.map(({ deliveries }) => deliveries.length)).to.deep.equal([500, 500, 200]);
  });

  it('never logs the address of a service', async () => {
    dispatcher.take([task('ON_BATTERY', time)]);
    await told(2);
    expect(log.length).to.be.greaterThan(0);
    expect(JSON.stringify([log, reports])).to.not.match(/127\.0\.0\.1|tok"/);
  });
});
