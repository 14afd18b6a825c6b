import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventsBody } from '../../../shared/http/bodies.js';
import { Database } from '../../../workers/storage/database.js';
import { configurationFor } from '../../fixtures/one-ups.js';
import { PrivateSshd } from '../../fixtures/private-sshd.js';
import { RealUpsd, onLine } from '../../fixtures/real-upsd.js';
import { remoteServerToml } from '../../fixtures/remote-server-toml.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { hasAtLeast, is, until } from '../../fixtures/until.js';
import type { HttpServer } from '../notify/http-server.js';
import { fine, startHttp } from '../notify/http-server.js';
import { bootedHost } from './booted-host.js';

const leaping = `--import ${new URL('../../fixtures/jumping-clock.js', import.meta.url).href}`;

describe('a restart of a killed daemon while a server is FAILED', () => {
  bootedHost();
  let upsd: RealUpsd;
  let sshd: PrivateSshd;
  let push: HttpServer;
  let daemon: RunningDaemon | undefined;

  beforeEach(async () => {
    daemon = undefined;
    [upsd, sshd, push] = await Promise.all([
      RealUpsd.start({ ups: { office: onLine } }),
      PrivateSshd.start(),
      startHttp(fine),
    ]);
  });
  afterEach(async () => {
    await daemon?.stop();
    await Promise.all([upsd.stop(), sshd.stop(), push.close()]);
  });

  const toml = (server = 'nas'): string =>
    configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: `[behavior]
dry_run = true
[notifications]
urls = ["webhook+http://127.0.0.1:${String(push.port)}/hook"]
[remote_health]
interval = 60
failure_threshold = 1
${server === '' ? '' : remoteServerToml({ name: server, ...sshd.login })}`,
    });
  const start = async (text: string) => {
    const before = daemon?.directory;
    daemon = await startDaemon({
      toml: text,
      env: { NODE_OPTIONS: leaping },
      ...(before === undefined ? {} : { directory: before }),
    });
  };
  const killed = () => daemon?.killWithWorkers();
  const health = async () => (await daemon?.status())?.ups[0]?.remoteHealth[0]?.status ?? '';
  const becomes = (wanted: string) => until(health, (now) => now === wanted);
  const told = () =>
    push.received.map(({ body }) => String(body['eventType'])).filter((type) => type.startsWith('REMOTE_'));
  const events = async () =>
    (((await daemon?.control('events?verbosity=1')) as EventsBody | undefined)?.events ?? [])
      .filter(({ eventType }) => eventType.startsWith('REMOTE_HEALTH'))
      .map(({ detail }) => detail);
  /** A row in the database: everything stored before it is there too. */
  const recorded = (text: string) => until(events, (list) => list.some((detail) => detail.includes(text)));
  const onDisk = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await Database.open(join(daemon?.directory ?? '', 'lib/ridethrough.db'));
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  /**
   * The expected number of messages, and none in delivery: after a kill a message without a stored delivery comes
   * again, by design.
   */
  const messages = async (count: number) => {
    await until(told, (list) => list.length >= count);
    const sent = `SELECT count(*) AS value FROM notifications n JOIN deliveries d ON d.notification = n.key
      WHERE n.type LIKE 'REMOTE_%' AND d.state = 'sent'`;
    await until(() => onDisk((db) => db.number(sent)), is(count));
  };
  const failed = async () => {
    await becomes('FAILED');
    await messages(1);
    await recorded('-> FAILED');
  };

  it('sends no second message for the failure, and one for the recovery', async () => {
    await sshd.down();
    await start(toml());
    await failed();
    await killed();
    // A user may delete the rows; the sent messages stay known.
    await onDisk((db) => db.run("DELETE FROM events WHERE type LIKE 'REMOTE_%'"));
    await start(toml());
    await becomes('FAILED');
    await recorded('UNKNOWN -> FAILED: connection refused');
    await killed();
    await start(toml());
    await becomes('FAILED');
    await sshd.up();
    daemon?.signal('SIGUSR1');
    await becomes('HEALTHY');
    await messages(2);
    await recorded('FAILED -> HEALTHY: good again');
    await killed();
    await start(toml());
    await becomes('HEALTHY');
    await sshd.down();
    daemon?.signal('SIGUSR1');
    await becomes('FAILED');
    await until(told, (list) => list.length >= 3);
    expect(told()).to.deep.equal(['REMOTE_HEALTH_FAILED', 'REMOTE_HEALTH_HEALTHY', 'REMOTE_HEALTH_FAILED']);
  });

  it('reports the recovery that happened while it was down, even with statistics off', async () => {
    const off = () => toml().replace('[statistics]', '[statistics]\nenabled = false');
    await sshd.down();
    await start(off());
    await becomes('FAILED');
    await messages(1);
    await until(() => onDisk((db) => db.number('SELECT count(*) AS value FROM failed_servers')), is(1));
    await killed();
    await sshd.up();
    await start(off());
    await becomes('HEALTHY');
    await until(told, (list) => list.length >= 2);
    expect(told()).to.deep.equal(['REMOTE_HEALTH_FAILED', 'REMOTE_HEALTH_HEALTHY']);
    expect(JSON.stringify(push.received.at(-1)?.body)).to.contain(
      'It was FAILED before the daemon was restarted.',
    );
    const rows = await until(
      () =>
        onDisk((db) =>
          db.all<{ detail: string }>("SELECT detail FROM events WHERE type = 'REMOTE_HEALTH_HEALTHY'"),
        ),
      hasAtLeast(1),
    );
    expect(rows).to.have.length(1);
    // A probe before the start of the storage worker knows nothing of earlier failures.
    expect(rows[0]?.detail).to.match(
      /^nas: UNKNOWN -> HEALTHY: its first probe is good(; it was FAILED before the daemon was restarted)?$/,
    );
  });

  // A server that was renamed or is not probed any more: test/supervisor/remote-health/restart.test.ts.
  it('starts over with a server that was removed meanwhile', async () => {
    await sshd.down();
    await start(toml());
    await failed();
    await killed();
    await start(toml(''));
    await until(() => onDisk((db) => db.number('SELECT count(*) AS value FROM failed_servers')), is(0));
    await killed();
    await start(toml());
    await until(told, (list) => list.length >= 2);
    expect(told()).to.deep.equal(['REMOTE_HEALTH_FAILED', 'REMOTE_HEALTH_FAILED']);
  });

  it('reports the recovery even if the database is damaged or of a newer version', async () => {
    await sshd.down();
    await start(toml());
    await failed();
    await killed();
    await onDisk((db) => db.exec('PRAGMA user_version = 99'));
    await start(toml());
    await becomes('FAILED');
    // The message waits half a minute for the history.
    daemon?.signal('SIGUSR1');
    await until(told, (list) => list.length >= 2);
    await killed();
    writeFileSync(join(daemon?.directory ?? '', 'lib/ridethrough.db'), 'this is no database at all');
    await start(toml());
    await until(told, (list) => list.length >= 3);
    expect(new Set(told())).to.deep.equal(new Set(['REMOTE_HEALTH_FAILED']));
  });
});
