import { expect } from 'chai';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { heldPort } from '../../fixtures/held-port.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { descendants, isAlive } from '../../fixtures/processes.js';
import { RealUpsd, nearlyEmpty, onBattery, onLine } from '../../fixtures/real-upsd.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { Database } from '../../../workers/storage/database.js';
import { includes, is, until } from '../../fixtures/until.js';
import type { Answer, HttpServer } from './http-server.js';
import { fine, startHttp, status } from './http-server.js';
import type { SmtpServer } from './smtp-server.js';
import { startSmtp } from './smtp-server.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('the notifications of a daemon', () => {
  let upsd: RealUpsd;
  let push: HttpServer;
  let mails: SmtpServer;
  let answer: Answer;
  let daemon: RunningDaemon | undefined;

  beforeEach(async () => {
    answer = fine;
    upsd = await RealUpsd.start({ ups: { office: onLine } });
    push = await startHttp((response, request) => answer(response, request));
    mails = await startSmtp();
    daemon = undefined;
  });
  afterEach(async () => {
    await daemon?.stop();
    await Promise.all([upsd.stop(), push.close(), mails.close()]);
  });

  const toml = (...urls: readonly string[]): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `[notifications]\ntitle = "nas01"\nretry_interval = 0.2\nurls = [${urls.map((url) => `"${url}"`).join(', ')}]\n`,
    });
  const gotify = (): string => `gotify://127.0.0.1:${String(push.port)}/S3cr3t-T0ken`;
  const mailto = (): string => `mailto://127.0.0.1:${String(mails.port)}?to=ops@example.org`;
  const titles = (): readonly string[] => push.received.map(({ body }) => String(body['title']));
  const seen = (title: string): Promise<unknown> => until(titles, (list) => list.includes(title));

  it('report an outage, the running shutdown and its end, through every service', async () => {
    daemon = await startDaemon({ toml: toml(gotify(), mailto()) });
    await daemon.seesAll();
    await upsd.rewrite('office', nearlyEmpty);
    await seen('nas01: Shutdown sequence complete');
    expect(titles()).to.include.members(['nas01: On battery', 'nas01: Shutdown triggered']);
    await until(
      () => mails.mails.map(({ headers }) => headers['subject']),
      includes('nas01: Shutdown sequence complete'),
    );
    expect(mails.mails.map(({ headers }) => headers['subject'])).to.include('nas01: Shutdown triggered');
    const text = String(
      push.received.find(({ body }) => body['title'] === 'nas01: On battery')?.body['message'],
    );
    expect(text).to.match(/^office@127\.0\.0\.1:\d+ is on battery \(charge 5 %, runtime 1 min 30 s\)\. /);
    expect(text).to.match(/\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d \(.+\)\.$/);
    expect(daemon.powerOffs()).to.have.length(1);
    expect(daemon.log()).to.not.contain('S3cr3t').and.not.contain('ops@example.org');
  });

  it('do not delay a shutdown when every service is down', async () => {
    const nobody = await heldPort();
    const unanswered: Parameters<Answer>[0][] = [];
    answer = (response) => void unanswered.push(response);
    daemon = await startDaemon({ toml: toml(gotify(), `ntfy://127.0.0.1:${String(nobody)}/b`) });
    await daemon.seesAll();
    await upsd.rewrite('office', nearlyEmpty);
    await daemon.poweredOff();
    // The first service answers only after the power-off.
    await until(() => unanswered.length > 0);
    answer = fine;
    for (const response of unanswered) response.end('{}');
    await until(
      () => daemon?.log() ?? '',
      (log) =>
        log.includes('notifications.urls[1] (ntfy): a message could not be delivered: its server refuses'),
    );
  });

  it('survive a kill of the daemon: undelivered ones follow, and none comes twice', async () => {
    answer = status(503);
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'lib'));
    const both = toml(`webhook+http://127.0.0.1:${String(push.port)}/hook`, mailto());
    const first = await startDaemon({ toml: both, directory });
    daemon = first;
    await daemon.seesAll();
    await upsd.rewrite('office', onBattery);
    await seen('nas01: On battery');
    const { id } = push.received[0]?.body ?? {};
    await first.logged('the history database is usable');
    const database = await Database.open(join(directory, 'lib/ridethrough.db'));
    // The result of the mail is on disk.
    await until(
      () => database.number("SELECT count(*) AS value FROM deliveries WHERE state = 'sent'"),
      is(1),
    );
    await database.close();
    await first.killWithWorkers();
    answer = fine;
    const before = push.received.length;
    daemon = await startDaemon({ toml: both, directory });
    const again = (): number => push.received.slice(before).filter(({ body }) => body['id'] === id).length;
    await until(again, (count) => count > 0);
    // A service gets one message after another: whatever was sent twice has come before this one.
    await upsd.rewrite('office', onLine);
    await seen('nas01: Power restored');
    expect(again()).to.equal(1);
    const mailsOfIt = mails.mails.filter(({ headers }) => headers['message-id']?.includes(`<${String(id)}@`));
    expect(mailsOfIt).to.have.length(1);
  });

  it('that wait for the power survive a kill of the daemon, and come once', async () => {
    const directory = temporaryFolder();
    mkdirSync(join(directory, 'lib'));
    const text = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `[[notifications.services]]\nurl = "webhook+http://127.0.0.1:${String(push.port)}/hook"\nafter = 20\n`,
    });
    const first = await startDaemon({ toml: text, directory });
    daemon = first;
    await daemon.seesAll();
    await first.logged('the history database is usable');
    await upsd.rewrite('office', onBattery);
    const database = await Database.open(join(directory, 'lib/ridethrough.db'));
    await until(
      () => database.number("SELECT count(*) AS value FROM deliveries WHERE state = 'pending'"),
      is(1),
    );
    await database.close();
    await first.kill();
    expect(push.received).to.deep.equal([]);
    daemon = await startDaemon({ toml: text, directory });
    const types = (): string[] => push.received.map(({ body }) => String(body['eventType']));
    await until(types, (list) => list.includes('ON_BATTERY'));
    await upsd.rewrite('office', onLine);
    await until(types, (list) => list.includes('POWER_RESTORED'));
    expect(types().filter((type) => type === 'ON_BATTERY')).to.have.length(1);
  });

  it('survive a kill of the notification worker', async () => {
    answer = status(503);
    daemon = await startDaemon({ toml: toml(gotify()) });
    await daemon.seesAll();
    await upsd.rewrite('office', onBattery);
    await seen('nas01: On battery');
    const worker = descendants(daemon.pid).find(({ command }) => command.includes('workers/notify/'));
    const pid = worker?.pid ?? NaN;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    const before = titles().length;
    answer = fine;
    await until(() => titles().slice(before), includes('nas01: On battery'));
  });

  it('follow the rules of their service, and tell through it that another one fails', async () => {
    const nobody = await heldPort();
    const rules = `[[notifications.services]]
url = "webhook+http://127.0.0.1:${String(push.port)}/hook"
verbosity = 0
after = 300
title = "<{ups}> {headline} {nothing"
body = "{text}|{event}"
headers = { X-Rack = "cellar" }
`;
    const failing = `ntfy://127.0.0.1:${String(nobody)}/S3cr3t-topic`;
    daemon = await startDaemon({
      toml: configurationFor({
        port: upsd.port,
        checkInterval: 0.2,
        apiPort: 0,
        more: `[notifications]\nretry_interval = 0.1\nurls = ["${failing}"]\n${rules}`,
      }),
    });
    await daemon.seesAll();
    await upsd.rewrite('office', onBattery);
    const text = 'Messages are not delivered through notifications.urls[0] (ntfy): its server refuses';
    await until(
      () => push.received.map(({ body }) => String(body['text'])),
      (list) => list.some((one) => one.startsWith(text)),
    );
    const [first] = push.received;
    expect(first?.body['title']).to.equal('<daemon> Notification service failed {nothing');
    expect(first?.body['text']).to.match(/\|NOTIFICATION_SERVICE_FAILED$/);
    expect(first?.headers['x-rack']).to.equal('cellar');
    // ON_BATTERY waits for the power; a shutdown releases it.
    await upsd.rewrite('office', nearlyEmpty);
    await until(
      () => push.received.map(({ body }) => String(body['eventType'])),
      (list) => list.includes('ON_BATTERY') && list.includes('SHUTDOWN_TRIGGERED'),
    );
    const told = push.received.filter(({ body }) => body['eventType'] === 'NOTIFICATION_SERVICE_FAILED');
    expect(told).to.have.length(1);
    const answer = await fetch(`http://127.0.0.1:${String(daemon.apiPort)}/ready`);
    const { capabilities } = (await answer.json()) as { capabilities: { id: string; reason: string }[] };
    expect(capabilities.find(({ id }) => id === 'notifications.urls[0] (ntfy)')?.reason).to.match(
      /^messages are not delivered, \d+ wait: its server refuses the connection/,
    );
    const metrics = await (await fetch(`http://127.0.0.1:${String(daemon.apiPort)}/metrics`)).text();
    expect(metrics).to.include('svc_notification_service_up{service="notifications.urls[0] (ntfy)"} 0');
    expect(metrics).to.include(
      'svc_notification_service_up{service="notifications.services[0] (webhook)"} 1',
    );
    expect(`${daemon.log()}${metrics}${JSON.stringify(capabilities)}`).to.not.contain('S3cr3t');
  });

  it('are off without a service, until a reload adds one', async () => {
    daemon = await startDaemon({ toml: toml() });
    const none = await ridethrough(['test-notifications', '--socket', daemon.controlSocket]);
    expect(none).to.deep.equal({
      code: 1,
      out: '',
      err: 'ridethrough test-notifications: No notification service is configured: add an address to notifications.urls and reload the daemon.\n',
    });
    daemon.configure(toml(gotify()));
    daemon.signal('SIGHUP');
    // Before that, each try would be a process for nothing.
    await until(() => daemon?.log() ?? '', includes('CONFIG_RELOAD'));
    await until(
      () => ridethrough(['test-notifications', '--socket', daemon?.controlSocket ?? '']),
      ({ code }) => code === 0,
    );
    expect(titles()).to.include('nas01: Test message');
  });

  it('can be tested on request, with the answer of each service', async () => {
    const nobody = await heldPort();
    const urls = [gotify(), mailto(), `ntfys://T0ken@127.0.0.1:${String(nobody)}/S3cr3t-topic`];
    daemon = await startDaemon({ toml: toml(...urls) });
    const { code, out, err } = await ridethrough(['test-notifications', '--socket', daemon.controlSocket]);
    expect(out.replaceAll(/\d+\.\d\d s/g, 'N s').split('\n')).to.deep.equal([
      'notifications.urls[0] (gotify)   delivered in N s',
      'notifications.urls[1] (mail)     delivered in N s',
      'notifications.urls[2] (ntfy)     NOT delivered: its server refuses the connection; check the port, and whether the service runs',
      '',
    ]);
    expect({ code, err }).to.deep.equal({ code: 1, err: '' });
    const asked = await ridethrough(['test-notifications', '--json', '--socket', daemon.controlSocket]);
    const { services } = JSON.parse(asked.out) as { services: { delivered: boolean }[] };
    expect(services.map(({ delivered }) => delivered)).to.deep.equal([true, true, false]);
    expect(titles()).to.deep.equal(['nas01: Test message', 'nas01: Test message']);
    expect(mails.mails).to.have.length(2);
  });
});
