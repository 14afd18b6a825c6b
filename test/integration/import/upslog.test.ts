import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { harmless } from '../../fixtures/running-daemon.js';
import { onBattery, onLine, RealUpsd } from '../../fixtures/real-upsd.js';
import { program, ran, ridethrough } from '../../fixtures/ridethrough.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { until } from '../../fixtures/until.js';
import { contentOf, day, endsOfTiers, hour, lineOf, logOf } from './history-files.js';

describe('an import from upslog without a daemon', () => {
  // A few lines of an hour that summer time doubles do not tell which of the two it is.
  inTimeZone('UTC');
  let directory: string;
  let log: string;
  beforeEach(() => {
    directory = temporaryFolder();
    log = join(directory, 'ups.log');
    mkdirSync(join(directory, 'lib'));
    configure(['office@127.0.0.1:1']);
  });
  const configure = (names: readonly string[], more = ''): void => {
    const ups = names.map((name) => `[[ups]]\nname = "${name}"\nis_local = false\n`).join('');
    const toml = `${ups}${harmless.replaceAll('{directory}', directory).replaceAll('{shutdown}', '/bin/false')}${more}`;
    writeFileSync(join(directory, 'config.toml'), toml);
  };
  const run = (...args: readonly string[]): Promise<Ran> =>
    ridethrough(['import', 'upslog', log, '--config', join(directory, 'config.toml'), ...args]);
  const content = () => contentOf(join(directory, 'lib'));
  const now = () => Math.floor(Date.now() / 1000);

  it('adds what the real upslog has written, once', async function () {
    const upsd = await RealUpsd.start({ ups: { office: `${onLine}input.voltage: 230.4\n` } });
    const pids = join(directory, 'nut');
    mkdirSync(pids, { mode: 0o770 });
    const env = { ...process.env, NUT_ALTPIDPATH: pids, NUT_STATEPATH: pids, NUT_PIDPATH: pids };
    const user = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim();
    const args = ['-s', `office@127.0.0.1:${String(upsd.port)}`, '-i', '1', '-l', log, '-F', '-u', user];
    const upslog = spawn('upslog', args, { env, stdio: 'ignore' });
    const lines = (): readonly string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
    try {
      await until(lines, (all) => all.some((line) => line.includes('[OL]')));
      await upsd.rewrite('office', onBattery);
      await until(lines, (all) => all.filter((line) => line.includes('[OB DISCHRG]')).length >= 2);
      await upsd.rewrite('office', onLine);
      await until(lines, (all) => all.at(-2)?.includes('[OL]') === true);
    } finally {
      upslog.kill();
      await upsd.stop();
    }
    const first = await run();
    expect(first, first.err).to.include({ code: 0 });
    expect(first.out).to.match(/added: [0-9]+ readings, 2 events, 1 outages/);
    const before = await content();
    expect(before['outages']?.[0]).to.include({ end_seen: 1, low_charge: 90 });
    expect(before['events']).to.have.lengthOf(2);
    const written = new Set(
      lines()
        .filter((line) => line !== '')
        .map((line) => line.slice(0, 15)),
    );
    expect(before['samples']).to.have.lengthOf(written.size);
    const second = await run();
    expect(second.out).to.match(/added: nothing\n.*in the history already/);
    const { audit: secondAudit, ...after } = await content();
    const { audit, ...same } = before;
    expect(after).to.deep.equal(same);
    expect(audit).to.deep.equal([{ detail: `local: import from upslog: ${String(written.size + 3)} rows` }]);
    expect(secondAudit).to.have.lengthOf(2);
  });

  it('puts each line into the tier of its age, keeps gaps, and says what it left out', async () => {
    const at = now();
    const start = Math.floor(at / day) * day;
    const gap = [start - 50 * day, start - 45 * day] as const;
    const gaps = [gap, ...endsOfTiers(at)];
    const written =
      logOf(start - 2000 * day, start - 1999 * day, 600) +
      logOf(start - 60 * day, start - 2 * day, 300, gaps) +
      logOf(start - 2 * day, at - 60, 60, gaps);
    writeFileSync(log, `${written}${lineOf(at + 4 * hour)}\n`);
    // Around midnight a gap has the outage of a day.
    const outageDays = new Set(written.match(/^\d{8}(?=.*OB)/gm));
    const dry = await run('--dry-run');
    expect(dry.out).to.match(
      /would add: [\d,]+ readings, [\d,]+ 5-minute means, [\d,]+ hourly means, \d+ events, \d+ outages/,
    );
    expect((await content())['samples']).to.deep.equal([]);
    const done = await run();
    expect(done.out).to.equal(dry.out.replace('would add', 'added'));
    // The outage of the old day and its two events: outages have no retention.
    expect(done.out).to.match(/not added: 146 lines are older than the history is kept/);
    expect(done.out).to.contain('not added: 1 lines are in the future');
    const { samples = [], fine = [], coarse = [], outages = [] } = await content();
    const hours = coarse
      .filter((row) => (row as { metric: number }).metric === 0)
      .map((row) => (row as { ts: number }).ts);
    expect(hours.filter((ts) => ts >= gap[0] && ts < gap[1])).to.deep.equal([]);
    expect(hours[0]).to.equal(start - 60 * day);
    expect(fine.length).to.be.above(8_000 * 4);
    expect(samples).to.have.lengthOf(22 * 60 - 1);
    expect(outages).to.have.lengthOf(outageDays.size);
    expect(outages[1]).to.include({ end_seen: 1, low_charge: 55 });
  });

  it('changes nothing while one line is damaged, and names it; on demand it leaves such lines out', async () => {
    const from = now() - 2 * hour;
    const good = [0, 30, 60, 90, 120, 150].map((second) => lineOf(from + second));
    const bad = [
      'x'.repeat(10 * 1024 * 1024),
      lineOf(from + 40).replace(' 100 ', ' about '),
      `${lineOf(from + 50).slice(0, 20)}${'\0'.repeat(400)}`,
      lineOf(from + 55).slice(0, 24),
      '20261332 250000 100 230.4 23 [OL] NA 50.0',
    ];
    writeFileSync(log, [...good.slice(0, 2), ...bad, ...good.slice(2)].join('\n'));
    const refused = await run();
    expect(refused).to.include({ code: 1, out: '' });
    expect(refused.err).to.match(/5 damaged:\n {2}line 3: longer than 8192 bytes\n/);
    expect(refused.err).to.match(/line 4: battery.charge: expected a number or NA, found "about"/);
    expect(refused.err).to.match(/line 5: NUL bytes/);
    expect(refused.err).to.match(/line 6: expected .*\n {2}line 7: .*is no date and time/);
    expect(refused.err.length).to.be.below(2_000);
    const { samples, audit } = await content();
    expect([samples, audit]).to.deep.equal([[], []]);
    const skipped = await run('--skip-damaged');
    expect(skipped.out).to.match(/added: 6 readings\n {2}not added: 5 lines are damaged and left out\n/);
  });

  it('takes a last line that is not complete for one that is being written', async () => {
    writeFileSync(log, `${lineOf(now() - 600)}\n${lineOf(now() - 570)}\n${lineOf(now() - 540).slice(0, 30)}`);
    const done = await run();
    expect(done.out).to.match(
      /added: 2 readings\n {2}not added: 1 lines are of a kind that is not imported, or not complete/,
    );
  });

  it('adds a time that the clock went through twice only once', async () => {
    const from = Math.floor(now() / 300) * 300 - 3 * hour;
    const twice = [0, 300, 600, 900].map((second) => lineOf(from + second));
    writeFileSync(
      log,
      `${[...twice, ...twice.map((line) => line.replace(' 230.4 ', ' 111.1 ')), lineOf(from + 1200)].join('\n')}\n`,
    );
    const done = await run();
    expect(done.out).to.match(/added: 5 readings\n {2}not added: 4 lines repeat a time that came before/);
    const { samples = [] } = await content();
    expect(samples.map((row) => (row as { voltage: number }).voltage)).to.deep.equal(Array(5).fill(23_040));
  });

  it('refuses what is no log, and what cannot be read twice', async () => {
    const cases: readonly (readonly [string, () => void, RegExp])[] = [
      [
        'random bytes',
        () => writeFileSync(log, Buffer.alloc(3_000_000, 'ab\0\xff\n', 'latin1')),
        /No line matches the format/,
      ],
      ['a pipe', () => void execFileSync('mkfifo', [log]), /is no regular file/],
      ['a directory', () => void mkdirSync(log), /is no regular file/],
      ['a missing file', () => undefined, /ENOENT/],
      ['a sparse file of 9 GiB', () => void execFileSync('truncate', ['-s', '9G', log]), /larger than 8 GiB/],
    ];
    for (const [name, make, message] of cases) {
      execFileSync('rm', ['-rf', log]);
      make();
      const ran = await run();
      expect(ran.code, name).to.equal(1);
      expect(ran.err, name).to.match(message);
    }
    expect((await content())['audit']).to.deep.equal([]);
  });

  it('asks which UPS when there are several', async () => {
    configure(['office@127.0.0.1:1', 'rack@127.0.0.1:1']);
    writeFileSync(log, `${lineOf(now() - 600)}\n`);
    const which = await run();
    expect(which).to.include({ code: 2 });
    expect(which.err).to.match(/give --ups NAME: there are office@127.0.0.1:1, rack@127.0.0.1:1/);
    expect((await run('--ups', 'cellar')).err).to.match(/no UPS "cellar" is configured/);
    const done = await run('--ups', 'rack@127.0.0.1:1', '--json');
    expect(JSON.parse(done.out)).to.deep.include({ unmatched: [] });
    expect((await content())['samples']?.[0]).to.include({ group_id: 'rack-127.0.0.1-1' });
  });

  it('takes the lines of one UPS from a log of two', async () => {
    configure(['office@127.0.0.1:1', 'rack@127.0.0.1:1']);
    const format = '%UPSHOST%%t%ETIME% %VAR battery.charge% %VAR ups.status%';
    // An import fills only means that the history has not: no two of the imports share five minutes.
    const before = Math.floor(now() / 300) * 300 - 1200;
    const of = (name: string, charge: number, status: string, from: number) =>
      [0, 30, 60].map((s) => `${name}\t${String(from + s)} ${String(charge)} ${status}\n`);
    const lines = [of('office@localhost:1', 97, 'OL', before), of('rack@127.0.0.1:1', 55, 'OB', before)];
    writeFileSync(log, [0, 1, 2].flatMap((at) => lines.map((one) => one[at])).join(''));
    const office = ['--ups', 'office@127.0.0.1:1', '--format', format];
    const own = await run(...office);
    expect(own.out).to.match(/added: 3 readings\n {2}not added: 3 lines are of another UPS\n/);
    const { samples = [], outages } = await content();
    expect(samples.map((row) => (row as { charge: number }).charge)).to.deep.equal([9700, 9700, 9700]);
    expect(outages).to.deep.equal([]);
    writeFileSync(log, of('cellar@nas', 90, 'OL', before + 600).join(''));
    const foreign = await run(...office);
    expect(foreign).to.include({ code: 1, out: '' });
    expect(foreign.err).to.match(
      /no line is of this UPS; its lines name cellar@nas\..* --ups-host cellar@nas/,
    );
    expect((await run(...office, '--ups-host', 'cellar@nas')).out).to.match(/added: 3 readings\n/);
    expect(await run('--ups', 'rack@127.0.0.1:1', '--ups-host', 'x')).to.include({ code: 2 });
  });

  it('refuses wrong usage, and a history that is turned off', async () => {
    writeFileSync(log, `${lineOf(now() - 600)}\n`);
    const config = ['--config', join(directory, 'config.toml')];
    for (const args of [
      ['import'],
      ['import', 'csv', log],
      ['import', 'upslog'],
      ['import', 'upslog', log, log],
    ])
      expect(await ridethrough([...args, ...config])).to.include({ code: 2 });
    expect(await run('--format', '%VAR ups.load%')).to.include({ code: 2 });
    expect(existsSync(join(directory, 'lib/ridethrough.db'))).to.equal(false);
    configure(['office@127.0.0.1:1'], 'enabled = false\n');
    expect((await run()).err).to.match(/statistics.enabled is false/);
  });

  it('keeps its memory bounded, whatever the size of the file', async () => {
    const block = logOf(now() - 20 * day, now() - 19 * day, 1);
    writeFileSync(log, block);
    const report =
      "process.on('exit', () => process.stderr.write(' PEAK ' + process.resourceUsage().maxRSS))";
    const options = `NODE_OPTIONS=--import data:text/javascript,${encodeURIComponent(report)}`;
    const command = [
      process.execPath,
      program,
      'import',
      'upslog',
      log,
      '--config',
      join(directory, 'config.toml'),
    ];
    const peak = async (): Promise<number> => {
      const done = await ran('env', [options, ...command]);
      expect(done.code, done.err).to.equal(0);
      return Math.max(...[...done.err.matchAll(/PEAK (\d+)/g)].map(([, kb]) => Number(kb)));
    };
    const small = await peak();
    for (let round = 0; round < 10; round += 1) writeFileSync(log, block, { flag: 'a' });
    expect(statSync(log).size).to.be.above(35_000_000);
    expect(await peak()).to.be.below(small + 60_000);
  });
});
