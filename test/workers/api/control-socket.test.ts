import { expect } from 'chai';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import {
  ExplainAllBody,
  PlanAllBody,
  ReadingsBody,
  ReadyBody,
  StatusBody,
} from '../../../shared/http/bodies.js';
import { RemoteHealthBody } from '../../../shared/http/device-bodies.js';
import { SequenceModel } from '../../../shared/domain/status/status-model.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ApiUnderTest, Options } from './fixture.js';
import { publishedUps, startedApi } from './fixture.js';
import { ask, codeOf } from './raw.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { includes, until } from '../../fixtures/until.js';

const noHost = '';

describe('the control socket', () => {
  let folder: string;
  let path: string;
  let api: ApiUnderTest | undefined;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, 'control.sock');
  });
  afterEach(async () => {
    await api?.end();
    api = undefined;
  });

  const started = async (options: Options = {}): Promise<ApiUnderTest> => {
    api = await startedApi({
      ...options,
      settings: { controlSocket: path, listen: null, ...options.settings },
    });
    return api;
  };
  const told = (what: string, method = 'GET') =>
    ask({ path }, `/control/v1/${what}`, { method, headers: noHost });

  it('exists without the API, and only owner and group can open it', async () => {
    const running = await started();
    expect(running.listening).to.deep.equal([]);
    expect(lstatSync(path).isSocket()).to.equal(true);
    expect(lstatSync(path).mode & 0o777).to.equal(0o660);
    expect(readdirSync(folder)).to.deep.equal(['control.sock']);
  });

  const bodies: readonly (readonly [string, t.Mixed])[] = [
    ['status', StatusBody],
    ['ready', ReadyBody],
    ['sequence', SequenceModel],
    ['readings?ups=office%40127.0.0.1', ReadingsBody],
    ['explain', ExplainAllBody],
    ['explain?ups=office%40127.0.0.1', ExplainAllBody],
    ['plan', PlanAllBody],
    ['remote-health', RemoteHealthBody],
  ];
  for (const [what, codec] of bodies)
    it(`answers ${what} with any Host header`, async () => {
      await (await started()).publish();
      const answer = await told(what);
      expect(answer.status).to.equal(200);
      expect(decode(codec, JSON.parse(answer.body))).to.include({ ok: true });
    });

  it('shows the commands of a plan', async () => {
    await (await started()).publish();
    expect((await told('plan')).body).to.contain('secret-shutdown');
  });

  it('answers about all UPSes, or the named one', async () => {
    const rack = publishedUps({ name: 'rack@nut1', groupId: 'rack-nut1' });
    await (await started()).publish({ ups: [publishedUps(), rack] });
    expect(JSON.parse((await told('explain')).body)).to.have.nested.property('ups.length', 2);
    expect(JSON.parse((await told('explain?ups=rack-nut1')).body)).to.have.nested.property(
      'ups[0].ups',
      'rack@nut1',
    );
    expect(JSON.parse((await told('explain?ups=rack-1')).body)).to.deep.include({ ups: [] });
    expect(JSON.parse((await told('explain?ups=rack-1')).body)).to.have.nested.property(
      'groups[0].group',
      'rack-1',
    );
    expect((await told('explain?ups=nobody')).status).to.equal(404);
    const plans = JSON.parse((await told('plan')).body) as PlanAllBody;
    expect([plans.plans.length, plans.groups.map(({ group }) => group)]).to.deep.equal([2, ['rack-1']]);
    expect(JSON.parse((await told('plan?ups=rack-1')).body))
      .to.have.property('plans')
      .that.deep.equals([]);
  });

  it('tests the notifications, one test at a time, and returns the answer of each service', async () => {
    const services = [{ name: 'notifications.urls[0] (ntfy)', delivered: true, message: '', seconds: 0.2 }];
    let answer: (outcome: Outcome<unknown>) => void = () => undefined;
    const running = await started({ ask: () => new Promise((resolve) => (answer = resolve)) });
    const both = Promise.all([told('notifications/test', 'POST'), told('notifications/test', 'POST')]);
    await until(() => running.asked.length > 0);
    // The worker has both when it answers one that was sent later.
    await told('ready');
    answer({ ok: true, value: { services } });
    for (const { status, body } of await both)
      expect({ status, body: JSON.parse(body) as unknown }).to.deep.equal({
        status: 200,
        body: { services },
      });
    expect(running.asked).to.deep.equal(['notifications.test ']);
    expect((await told('notifications/test')).headers['allow']).to.equal('POST');
  });

  it('reports that the notifications cannot be tested', async () => {
    const error = { code: 'WORKER_GONE', message: 'notify is not running' };
    await started({ ask: () => Promise.resolve({ ok: false, error }) });
    const answer = await told('notifications/test', 'POST');
    expect(codeOf(answer)).to.equal('SUPERVISOR_UNAVAILABLE');
    expect(answer.body).to.contain('notify is not running');
  });

  it('serves nothing else, neither the API nor the page', async () => {
    await (await started()).publish();
    for (const other of ['/api/v1/ups', '/health', '/', '/metrics', '/control/v1/', '/control/v1/nothing'])
      expect(codeOf(await ask({ path }, other, { headers: noHost })), other).to.equal('NOT_FOUND');
    expect((await told('status', 'POST')).headers['allow']).to.equal('GET, HEAD');
  });

  it('replaces the stale socket of a daemon that was killed', async () => {
    const stale = createServer().listen(join(folder, 'once'));
    await new Promise((resolve) => stale.once('listening', resolve));
    renameSync(join(folder, 'once'), path);
    await new Promise((resolve) => stale.close(resolve));
    expect(existsSync(path)).to.equal(true);
    await started();
    expect((await told('ready')).status).to.equal(503);
  });

  it('leaves a socket that another process serves, logs it once, and takes over when it closes', async () => {
    const other = createServer((socket) => void socket.end()).listen(path);
    await new Promise((resolve) => other.once('listening', resolve));
    const running = await started({ limits: { reopenMs: 5 } });
    const complaints = () =>
      running.log.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(complaints()).to.have.length(1);
    expect(complaints()[0]).to.contain('runs twice');
    await new Promise((resolve) => other.close(resolve));
    await until(() => running.log.map(({ message }) => message).join(), includes('is open'));
    expect((await told('ready')).status).to.equal(503);
    expect(complaints()).to.have.length(1);
  });

  it('does not remove a file that is not a socket', async () => {
    writeFileSync(path, 'precious');
    const running = await started();
    expect(running.log.map(({ message }) => message).join()).to.contain('is not a socket');
    expect(lstatSync(path).isFile()).to.equal(true);
  });

  it('waits for its directory to exist', async () => {
    path = join(folder, 'setTimer', 'control.sock');
    const running = await started({ limits: { reopenMs: 5 } });
    expect(running.log.map(({ message }) => message).join()).to.contain('directory does not exist');
    mkdirSync(dirname(path));
    await until(() => existsSync(path));
    expect((await told('ready')).status).to.equal(503);
  });
});
