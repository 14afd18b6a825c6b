import { expect } from 'chai';
import { configurationFrom } from '../config/loading.js';
import { Bench, hook, officeId, rackId } from './bench.js';

describe('a hook', () => {
  it('runs at its event, at the next tick, with the facts in its environment alone', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]'));
    bench.tell('ON_BATTERY', officeId, `on battery\u0007\n"; rm -rf /; ${'x'.repeat(3000)}`);
    bench.tell('BATTERY_REPLACE');
    expect(bench.started).to.deep.equal([]);
    await bench.pass(250);
    expect(bench.started).to.have.length(1);
    const { command = [], env = {} } = bench.started[0] ?? {};
    expect(command.slice(-2)).to.deep.equal(['/opt/hook', 'first word']);
    expect(command.join(' ')).to.not.contain('rm -rf');
    expect(env).to.include({
      EVENT: 'ON_BATTERY',
      UPS: 'office@127.0.0.1:3493',
      NOTIFYTYPE: 'ONBATT',
      UPSNAME: 'office@127.0.0.1:3493',
      TZ: 'Europe/Berlin',
    });
    expect(env['DETAIL']).to.match(/^on battery\?\?"; rm -rf/);
    expect(Buffer.byteLength(env['DETAIL'] ?? '')).to.equal(1024);
    expect(env).to.not.have.property('SECRET');
  });

  it('waits for "after", and is cancelled for the same UPS only', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]\nafter = 30\ncancel_on = ["POWER_RESTORED"]'));
    bench.tell('ON_BATTERY', officeId);
    bench.tell('ON_BATTERY', rackId);
    await bench.pass(20_000);
    bench.tell('POWER_RESTORED', officeId);
    await bench.pass(9750);
    expect(bench.events).to.deep.equal([]);
    await bench.pass(500);
    expect(bench.events).to.deep.equal(['ON_BATTERY rack@localhost']);
    await bench.pass(60_000);
    expect(bench.events).to.have.length(1);
  });

  it('is cancelled until its process starts, also while it waits for the one before it', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]\nafter = 30\ncancel_on = ["POWER_RESTORED"]'));
    bench.takesMs = 20_000;
    bench.tell('ON_BATTERY', rackId);
    await bench.pass(1000);
    bench.tell('ON_BATTERY', officeId);
    await bench.pass(40_000);
    bench.tell('POWER_RESTORED', officeId);
    await bench.pass(60_000);
    expect(bench.events).to.deep.equal(['ON_BATTERY rack@localhost']);
  });

  it('keeps the timer of the first event', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]\nafter = 30'));
    bench.tell('ON_BATTERY');
    await bench.pass(20_000);
    bench.tell('ON_BATTERY');
    await bench.pass(10_250);
    expect(bench.events).to.have.length(1);
    await bench.pass(60_000);
    expect(bench.events).to.have.length(1);
  });

  it('runs for the UPSes that it names, and for the daemon when it names none', async () => {
    const named = new Bench(hook('on = ["ON_BATTERY", "DAEMON_START"]\nups = ["rack@localhost"]'));
    const any = new Bench(hook('on = ["ON_BATTERY", "DAEMON_START"]'));
    for (const bench of [named, any]) {
      bench.tell('ON_BATTERY', officeId);
      bench.tell('ON_BATTERY', rackId);
      bench.tell('DAEMON_START', 'daemon');
      await bench.pass(2000);
    }
    expect(named.events).to.deep.equal(['ON_BATTERY rack@localhost']);
    expect(any.events).to.have.members([
      'ON_BATTERY office@127.0.0.1:3493',
      'ON_BATTERY rack@localhost',
      'DAEMON_START ',
    ]);
  });

  it('runs in a dry run only where it says so', async () => {
    const dry = '[behavior]\ndry_run = true\n';
    const without = new Bench(hook('on = ["ON_BATTERY"]', dry));
    const withIt = new Bench(hook('on = ["ON_BATTERY"]\nin_dry_run = true', dry));
    for (const bench of [without, withIt]) {
      bench.tell('ON_BATTERY');
      await bench.pass(1000);
    }
    expect([without.started.length, withIt.started.length]).to.deep.equal([0, 1]);
  });

  it('does not run without its user, and the log says so', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]'));
    bench.user = 'missing';
    bench.hooks.apply(configurationFrom(hook('on = ["ON_BATTERY"]')));
    bench.tell('ON_BATTERY');
    await bench.pass(1000);
    expect(bench.started).to.deep.equal([]);
    expect(bench.log.map(({ message }) => message).join()).to.match(
      /no hook runs: the user ridethrough-hook/,
    );
  });

  it('changes to its user, with limits', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]'));
    bench.user = { uid: 991, gid: 990, groups: [] };
    bench.hooks.apply(configurationFrom(hook('on = ["ON_BATTERY"]')));
    bench.tell('ON_BATTERY');
    await bench.pass(250);
    const command = bench.started[0]?.command.join(' ') ?? '';
    expect(command).to.match(
      /^\/usr\/bin\/nice -n 19 \/usr\/bin\/choom -n 1000 -- \/usr\/bin\/prlimit --nproc=128 -- /,
    );
    expect(command).to.match(/--no-new-privs .*--reuid=991 --regid=990 --clear-groups \/opt/);
    // Only root has a bounding set to empty.
    expect(command.includes(' --bounding-set=-all ')).to.equal(process.getuid?.() === 0);
  });

  it('runs one at a time, in order, and drops the oldest of a flood', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY", "POWER_RESTORED"]'));
    bench.takesMs = 5000;
    for (let blip = 0; blip < 100; blip += 1) {
      bench.tell('ON_BATTERY');
      bench.tell('POWER_RESTORED');
    }
    await bench.pass(200_000);
    expect(bench.mostAtOnce).to.equal(1);
    expect(bench.started.length).to.equal(20);
    expect(bench.events.at(-1)).to.match(/^POWER_RESTORED/);
    expect(bench.log.filter(({ message }) => message.includes('is left out'))).to.have.length(1);
  });

  it('is killed at its deadline, and the next event runs it again', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]\ntimeout = 5'));
    bench.takesMs = -1;
    bench.tell('ON_BATTERY');
    await bench.pass(6000);
    expect(bench.log.at(-1)?.message).to.equal(
      'hooks[0] for ON_BATTERY of office@127.0.0.1:3493 was killed after 5.0 s: x',
    );
    bench.tell('ON_BATTERY');
    await bench.pass(500);
    expect(bench.started).to.have.length(2);
  });

  it('has its result and its output in the log, in one line', async () => {
    const bench = new Bench(hook('on = ["ON_BATTERY"]'));
    bench.outcome = { kind: 'exited', code: 3, output: 'first\n\u001b[31msecond\n' };
    bench.tell('ON_BATTERY');
    await bench.pass(500);
    expect(bench.log.at(-1)).to.deep.include({
      level: 'warning',
      message:
        'hooks[0] for ON_BATTERY of office@127.0.0.1:3493 failed after 0.0 s with exit status 3: first | ?[31msecond',
    });
  });
});

describe('the timer of a hook', () => {
  const text = hook('on = ["ON_BATTERY"]\nafter = 60\ncancel_on = ["POWER_RESTORED"]');

  it('continues after a restart of the daemon', async () => {
    const bench = new Bench(text);
    bench.tell('ON_BATTERY');
    await bench.pass(20_000);
    await bench.restart(text, 10_000);
    await bench.pass(29_500);
    expect(bench.events).to.deep.equal([]);
    await bench.pass(1000);
    expect(bench.events).to.have.length(1);
  });

  it('that ran out meanwhile waits for a reading that may cancel it', async () => {
    const bench = new Bench(text);
    bench.tell('ON_BATTERY');
    bench.tell('ON_BATTERY', rackId);
    await bench.pass(500);
    await bench.restart(text, 90_000);
    await bench.pass(2000);
    bench.tell('POWER_RESTORED');
    await bench.pass(20_000);
    expect(bench.events).to.deep.equal(['ON_BATTERY rack@localhost']);
  });

  it('that was cancelled stays cancelled after a restart', async () => {
    const bench = new Bench(text);
    bench.tell('ON_BATTERY');
    await bench.pass(500);
    bench.tell('POWER_RESTORED');
    await bench.pass(500);
    await bench.restart(text, 1000);
    await bench.pass(120_000);
    expect(bench.events).to.deep.equal([]);
  });

  it('ends with its hook at a reload, and goes on when only its place changes', async () => {
    const bench = new Bench(text);
    bench.tell('ON_BATTERY');
    const other = '[[hooks]]\ncommand = "true"\non = ["DAEMON_STOP"]\n';
    bench.hooks.apply(configurationFrom(text.replace('[[hooks]]', `${other}[[hooks]]`)));
    await bench.pass(61_000);
    expect(bench.events).to.have.length(1);
    bench.tell('ON_BATTERY');
    bench.hooks.apply(configurationFrom(hook('on = ["DAEMON_STOP"]')));
    await bench.pass(120_000);
    expect(bench.events).to.have.length(1);
  });

  it('follows a UPS whose name is spelled in another way after a reload', async () => {
    const named = hook('on = ["ON_BATTERY"]\nups = ["rack"]');
    const bench = new Bench(named);
    bench.hooks.apply(configurationFrom(named.replace('"rack@localhost"', '"rack@localhost:3493"')));
    bench.tell('ON_BATTERY', 'rack-localhost-3493');
    await bench.pass(1_000);
    expect(bench.events).to.deep.equal(['ON_BATTERY rack@localhost:3493']);
  });

  it('has its new place in the log after a reload', async () => {
    const bench = new Bench(text);
    const other = '[[hooks]]\ncommand = "true"\non = ["DAEMON_STOP"]\n';
    bench.hooks.apply(configurationFrom(text.replace('[[hooks]]', `${other}[[hooks]]`)));
    bench.tell('ON_BATTERY');
    await bench.pass(61_000);
    expect(bench.log.map(({ message }) => message).join()).to.contain('hooks[1] for ON_BATTERY');
  });

  it('ends with its UPS at a reload: nothing could cancel it any more', async () => {
    const bench = new Bench(text);
    bench.tell('ON_BATTERY', rackId);
    bench.hooks.apply(configurationFrom(text.replace('[[ups]]\nname = "rack@localhost"\n', '')));
    await bench.pass(61_000);
    expect(bench.events).to.deep.equal([]);
  });

  it('does not run in a dry run that begins while it waits', async () => {
    const bench = new Bench(text);
    bench.tell('ON_BATTERY');
    bench.hooks.apply(configurationFrom(`${text}\n[behavior]\ndry_run = true\n`));
    await bench.pass(61_000);
    expect(bench.events).to.deep.equal([]);
  });
});
