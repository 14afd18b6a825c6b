import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import type { EventRow, EventsBody, HistoryBody } from '../../../shared/http/bodies.js';
import { Office } from '../../fixtures/office.js';
import { descendants, signal } from '../../fixtures/processes.js';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { hasAtLeast, includes, is, until } from '../../fixtures/until.js';
import { program as command, ran } from '../../fixtures/ridethrough.js';

async function eventsOf(daemon: RunningDaemon): Promise<readonly EventRow[]> {
  try {
    return ((await daemon.control('events?limit=10000')) as Partial<EventsBody>).events ?? [];
  } catch {
    // Its API has not opened the socket yet.
    return [];
  }
}

function typesIn(rows: readonly EventRow[]): readonly string[] {
  return rows.map(({ eventType }) => eventType);
}

function storagePid(daemon: RunningDaemon): number | undefined {
  return descendants(daemon.pid).find(({ command: words }) => words.includes('workers/storage'))?.pid;
}

describe('the history of the daemon', () => {
  const office = new Office();
  const start = (directory?: string): Promise<RunningDaemon> => office.start({}, directory);
  const charges = async (running: RunningDaemon): Promise<HistoryBody['data']> => {
    const ups = encodeURIComponent(office.name);
    const from = Math.floor(Date.now() / 1000) - 600;
    const body = await running.control(`history?ups=${ups}&from=${String(from)}`);
    return (body as Partial<HistoryBody>).data ?? [];
  };
  const logged = (running: RunningDaemon, type: string) => running.log().split(`${type}: `).length - 1;

  it('keeps an outage across kill -9 and a restart: every event once, no id reused', async () => {
    const first = await start();
    office.upsd.ups('office').set({ mainsVolts: 0 });
    const before = await until(
      () => eventsOf(first),
      (rows) => typesIn(rows).includes('ON_BATTERY'),
    );
    const samples = await until(() => charges(first), hasAtLeast(1));
    await first.kill();
    const second = await start(first.directory);
    const after = await until(
      () => eventsOf(second),
      (rows) => typesIn(rows).includes('DAEMON_AFTER_CRASH'),
    );
    for (const row of before) expect(after).to.deep.include(row);
    expect(typesIn(after).filter((type) => type.startsWith('DAEMON_'))).to.deep.equal([
      'DAEMON_START',
      'DAEMON_AFTER_CRASH',
    ]);
    const ids = after.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    const known = new Set(before.map(({ id }) => id));
    const fresh = ids.filter((id) => !known.has(id));
    expect(Math.min(...fresh)).to.be.above(Math.max(...known));
    const kept = await charges(second);
    for (const { ts } of samples) expect(kept.map((point) => point.ts)).to.include(ts);
  });

  it('is CSV by the Accept header or by format, with the same rows', async () => {
    const running = await start();
    const data = await until(() => charges(running), hasAtLeast(2));
    const ups = encodeURIComponent(office.name);
    const from = Math.floor(Date.now() / 1000) - 600;
    const { out } = await ran('curl', [
      ...['-sS', '--unix-socket', running.controlSocket, '-H', 'Accept: text/csv'],
      `http://localhost/control/v1/history?ups=${ups}&from=${String(from)}`,
    ]);
    const [header, ...lines] = out.trimEnd().split('\r\n');
    expect(header).to.equal('time,ts,value,min,max');
    for (const { ts, value, min, max } of data)
      expect(lines).to.include([new Date(ts * 1000).toISOString(), ts, value, min, max].join());
  });

  it('distinguishes a clean stop from a crash', async () => {
    const first = await start();
    first.signal('SIGTERM');
    expect(await first.exited).to.equal(0);
    const second = await start(first.directory);
    const rows = await until(
      () => eventsOf(second),
      (all) => typesIn(all).includes('DAEMON_RESTARTED'),
    );
    expect(typesIn(rows).filter((type) => type.startsWith('DAEMON_'))).to.deep.equal([
      'DAEMON_START',
      'DAEMON_STOP',
      'DAEMON_RESTARTED',
    ]);
  });

  it('loses no event of an outage while its storage worker is killed repeatedly', async () => {
    const running = await start();
    const ups = office.upsd.ups('office');
    for (const outage of [1, 2, 3]) {
      const pid = storagePid(running);
      ups.set({ mainsVolts: 0 });
      await until(() => logged(running, 'ON_BATTERY'), is(outage));
      // It may be the one of the last round, which has not ended yet.
      signal(pid === undefined ? [] : [pid], 'SIGKILL');
      ups.set({ mainsVolts: 230 });
      await until(() => logged(running, 'POWER_RESTORED'), is(outage));
    }
    const rows = await until(
      () => eventsOf(running),
      (list) => typesIn(list).filter((type) => type === 'POWER_RESTORED').length >= 3,
    );
    expect(typesIn(rows).filter((type) => /^(ON_BATTERY|POWER_RESTORED)$/.test(type))).to.deep.equal([
      ...['ON_BATTERY', 'POWER_RESTORED'],
      ...['ON_BATTERY', 'POWER_RESTORED'],
      ...['ON_BATTERY', 'POWER_RESTORED'],
    ]);
    expect(typesIn(rows).filter((type) => type.startsWith('DAEMON_'))).to.deep.equal(['DAEMON_START']);
  });

  it('does not delay the power-off while its disk is frozen, and is complete afterwards', async () => {
    const running = await start();
    await until(() => charges(running), hasAtLeast(1));
    const pid = storagePid(running);
    expect(pid).to.be.a('number');
    process.kill(pid ?? 0, 'SIGSTOP');
    office.upsd.ups('office').set({ fsd: true });
    // The storage worker stays stopped: the power-off cannot have waited for it.
    await running.poweredOff();
    const rows = await until(
      () => eventsOf(running),
      (list) => typesIn(list).includes('SHUTDOWN_SEQUENCE_COMPLETE'),
    );
    await running.logged('lost the worker storage');
    const story = typesIn(rows).filter((type) => /^(FSD_DETECTED|SHUTDOWN_TRIGGERED)$/.test(type));
    expect(story.slice().sort()).to.deep.equal(['FSD_DETECTED', 'SHUTDOWN_TRIGGERED']);
  });

  for (const [how, end] of [
    ['at Ctrl-C', 'SIGINT'],
    ['when nobody reads on', null],
  ] as const)
    it(`can be followed on the command line until the daemon stops, ${how}`, async () => {
      const running = await start();
      const child = spawn(
        process.execPath,
        [command, 'events', '--follow', '--socket', running.controlSocket],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => void (err += text));
      const closed = once(child, 'close');
      try {
        await until(() => out, includes('DAEMON_START'));
        office.upsd.ups('office').set({ mainsVolts: 0 });
        await until(() => out, includes('ON_BATTERY'));
        if (end === null) {
          child.stdout.destroy();
          office.upsd.ups('office').set({ mainsVolts: 230 });
        } else child.kill(end);
        expect(await closed).to.deep.equal([0, null]);
        expect(err).to.equal('');
        expect(out.match(/ ON_BATTERY /g)).to.have.length(1);
      } finally {
        child.kill('SIGKILL');
      }
    });
});
