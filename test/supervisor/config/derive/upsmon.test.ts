import { expect } from 'chai';
import { upsmonArrangement } from '../../../../supervisor/config/derive/upsmon.js';
import { parseUpsmon } from '../../../../supervisor/config/read/upsmon.js';
import { configurationFrom } from '../loading.js';

const local = '[[ups]]\nname = "office@localhost"\nis_local = true\n';
const monitor = (power: number, system = 'office@127.0.0.1'): string =>
  `MONITOR ${system} ${String(power)} monuser "se cret" primary\n`;
const real = 'SHUTDOWNCMD "/sbin/shutdown -h +0"\n';

function arrangement(toml: string, conf: string, isRunning = true) {
  const file = { path: '/etc/nut/upsmon.conf', ...parseUpsmon(conf) };
  return upsmonArrangement(configurationFrom(toml), { kind: 'found', file, isRunning });
}

describe('upsmon beside the daemon', () => {
  it('is the last resort below the thresholds, with what to keep apart', () => {
    const found = arrangement(local, monitor(1) + real);
    expect(found?.kind).to.equal('lastResort');
    expect(found?.text).to.match(
      /^upsmon \(\/etc\/nut\/upsmon\.conf, it runs\) powers this machine off when office@localhost shows LB on battery, or FSD: the last resort/,
    );
    expect(found?.text).to.contain('battery.charge.low below low_battery_threshold, 20 %');
    expect(found?.text).to.contain('battery.runtime.low below critical_runtime_threshold, 10 min');
  });

  it('follows a daemon that is the primary, and is in conflict as a second one', () => {
    const primary = `${local}nut_role = "primary"\n[nut]\nusername = "us"\npassword = "a secret"`;
    const secondary = monitor(1).replace('primary', 'secondary');
    expect(arrangement(primary, secondary + real)?.text).to.contain(
      'follows Ridethrough, which decides and sets FSD',
    );
    expect(arrangement(primary, monitor(1) + real)?.text).to.contain(
      'both the primary of office@localhost: write secondary',
    );
    expect(arrangement(primary, monitor(0) + real)?.kind).to.equal('watches');
  });

  it('only watches with a power value of 0 or a command that does nothing', () => {
    expect(arrangement(local, monitor(0) + real, false)?.text).to.contain(
      'it does not run now) only watches, since the power value',
    );
    for (const command of ['', 'SHUTDOWNCMD ""\n', 'SHUTDOWNCMD "/bin/true"\n', 'SHUTDOWNCMD "logger off"\n'])
      expect(arrangement(local, monitor(1) + command)?.kind, command).to.equal('watches');
    expect(arrangement(local, `${monitor(1)}SHUTDOWNCMD "/usr/local/bin/truenas-off"\n`)?.kind).to.equal(
      'lastResort',
    );
  });

  it('is ignored when it monitors other UPSes', () => {
    for (const system of ['other@localhost', 'office@192.0.2.9', 'office@localhost:3494', 'not a name@@'])
      expect(arrangement(local, monitor(1, system) + real), system).to.equal(null);
    expect(upsmonArrangement(configurationFrom(local), { kind: 'none' })).to.equal(null);
  });

  it('decides alone while the daemon only rehearses', () => {
    expect(arrangement(`${local}[behavior]\ndry_run = true`, monitor(1) + real)?.text).to.contain(
      'decides alone',
    );
  });

  it('is in conflict with a daemon that waits for LB too', () => {
    const found = arrangement(
      `${local}[triggers]\nlow_battery_threshold = 0\ncritical_runtime_threshold = 0`,
      monitor(1) + real,
    );
    expect(found?.kind).to.equal('conflict');
    expect(found?.text).to.contain('write 0 as the power value of the MONITOR line (and MINSUPPLIES 0)');
  });

  it('is in conflict where both cut the output', () => {
    const cut = `${local}[ups_output]\noff_after_shutdown = true\n[nut_control]\npassword = "a secret"`;
    const found = arrangement(cut, `${monitor(1)}${real}POWERDOWNFLAG /etc/killpower\n`);
    expect(found?.kind).to.equal('conflict');
    expect(found?.text).to.contain('by POWERDOWNFLAG, Ridethrough by ups_output.off_after_shutdown');
  });

  it('is in conflict with a group that needs fewer UPSes', () => {
    const group =
      '[[ups]]\nname = "a"\n[[ups]]\nname = "b"\n[[redundancy_groups]]\nname = "rack"\nups_sources = ["a", "b"]\n' +
      'min_healthy = 1\nis_local = true\n';
    const both = monitor(1, 'a@localhost') + monitor(1, 'b@localhost') + real;
    expect(arrangement(group, `${both}MINSUPPLIES 2\n`)?.text).to.contain('set MINSUPPLIES 1');
    expect(arrangement(group, both)?.kind).to.equal('lastResort');
  });

  it('mentions timers that nobody can see from here', () => {
    expect(arrangement(local, `${monitor(1)}${real}NOTIFYCMD /sbin/upssched\n`)?.text).to.contain(
      'upssched.conf may hold timers',
    );
  });

  it('is unknown where its file may not be read', () => {
    const unreadable = {
      kind: 'unreadable',
      path: '/etc/nut/upsmon.conf',
      fault: 'may not be read',
      isRunning: true,
    } as const;
    expect(upsmonArrangement(configurationFrom(local), unreadable)?.kind).to.equal('unknown');
  });
});

describe('upsmon.conf', () => {
  it('is read as NUT reads it', () => {
    const file = parseUpsmon(
      '# MONITOR no@no 1 a b primary\n  MONITOR "ups 1@host" 2 "a # b" p\\"q master # end\nMONITOR x@h nonsense u p secondary\n' +
        'SHUTDOWNCMD "first"\nSHUTDOWNCMD "/sbin/shutdown \\"now\\""\nMINSUPPLIES 2\n\u0000\n',
    );
    expect(file).to.deep.equal({
      monitors: [
        { system: 'ups 1@host', powerValue: 2, isPrimary: true },
        { system: 'x@h', powerValue: 0, isPrimary: false },
      ],
      shutdownCommand: '/sbin/shutdown "now"',
      minSupplies: 2,
      cutsPower: false,
      notifyCommand: '',
    });
  });

  it('is read in a moment, whatever it holds', () => {
    for (const text of [
      '"'.repeat(262_144),
      '\\'.repeat(262_144),
      'MONITOR '.repeat(30_000),
      '\n'.repeat(262_144),
    ])
      expect(parseUpsmon(text).shutdownCommand).to.equal('');
  });
});
