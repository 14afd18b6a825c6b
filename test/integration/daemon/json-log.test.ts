import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFor } from '../../fixtures/one-ups.js';
import { RealUpsd, nearlyEmpty, onLine } from '../../fixtures/real-upsd.js';
import { startDaemon } from '../../fixtures/running-daemon.js';
import { hasAtLeast, until } from '../../fixtures/until.js';

const always = ['timestamp', 'level', 'logger', 'message'];
const supplied = ['category', 'event_type', 'group', 'ups', 'server'];

type Line = Readonly<Record<string, string>>;

describe('the JSON log of a daemon', () => {
  it('has one object a line through a start, an outage with its shutdown, a reload and a stop', async () => {
    const upsd = await RealUpsd.start({ ups: { office: onLine } });
    const toml = configurationFor({
      port: upsd.port,
      checkInterval: 0.2,
      more: '[logging]\nformat = "json"\nlevel = "debug"\nfile = "{directory}/log"\n[mqtt]\nenabled = true\nbroker = "mqtt://127.0.0.1:1"\n',
    });
    const daemon = await startDaemon({ toml });
    let text: string;
    let file: string;
    try {
      await daemon.seesAll();
      await upsd.rewrite('office', nearlyEmpty);
      await daemon.logged('SHUTDOWN_SEQUENCE_COMPLETE');
      daemon.signal('SIGHUP');
      await daemon.logged('CONFIG_RELOAD');
      daemon.signal('SIGTERM');
      await daemon.exited;
      file = readFileSync(join(daemon.directory, 'log'), 'utf8');
      // What the pipe still holds comes after the exit.
      text = await until(() => daemon.log(), hasAtLeast(file.length));
    } finally {
      await daemon.stop();
      await upsd.stop();
    }
    expect(file).to.equal(text);
    expect(text.endsWith('\n')).to.equal(true);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    for (const line of lines) {
      const keys = Object.keys(line);
      expect(keys.slice(0, 4), JSON.stringify(line)).to.deep.equal(always);
      expect(supplied, JSON.stringify(line)).to.include.members(keys.slice(4));
      expect(Object.values(line).every((value) => typeof value === 'string')).to.equal(true);
      expect(line['timestamp']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(line['level']).to.be.oneOf(['debug', 'info', 'warning', 'error']);
    }
    const of = (type: string): Line => lines.find((line) => line['event_type'] === type) ?? {};
    const ups = `office@127.0.0.1:${String(upsd.port)}`;
    expect(of('ON_BATTERY')).to.include({
      category: 'power_event',
      ups,
      level: 'warning',
      logger: 'supervisor',
    });
    expect(of('SHUTDOWN_TRIGGERED')).to.include({
      category: 'shutdown',
      group: `office-127.0.0.1-${String(upsd.port)}`,
    });
    expect(of('CONFIG_RELOAD')).to.include({ category: 'audit', group: 'daemon' });
    const start = lines.find(({ category }) => category === 'lifecycle');
    expect(start?.['event_type']).to.match(/^DAEMON_/);
    expect(new Set(lines.map(({ logger }) => logger))).to.include.keys('supervisor', 'mqtt', 'api');
  });
});
