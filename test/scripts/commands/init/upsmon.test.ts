import { expect } from 'chai';
import fc from 'fast-check';
import { importUpsmon } from '../../../../scripts/commands/init/from/upsmon.js';
import type { Checked } from './drafts.js';
import { checked, inFolder } from './drafts.js';
import { carried, executed, monitor, script } from './upsmon-files.js';

describe('init --from-upsmon', () => {
  it('acts at LB and FSD only, as upsmon, with its times', () => {
    const { configuration, secrets, text } = carried(
      `${monitor}POLLFREQ 10\nPOLLFREQALERT 4\nDEADTIME 25\nHOSTSYNC 40\n`,
    );
    const [ups] = configuration.ups;
    expect(ups?.policy).to.include({ name: 'office@localhost', isLocal: true, checkIntervalMs: 4000 });
    expect(ups?.policy.triggers).to.deep.include({
      lowBatteryPercent: 0,
      criticalRuntimeSeconds: 0,
      lowBatteryFlag: true,
      failsafeMs: 25_000,
    });
    expect(ups?.policy.triggers.extendedTime.enabled).to.equal(false);
    expect(text)
      .to.match(/^hostsync = 40 /m)
      .and.to.match(/^nut_role = "primary"$/m);
    expect(configuration.localShutdown.command).to.deep.equal(['/sbin/shutdown', '-h', '+0']);
    expect(secrets).to.deep.equal(['s3cret word']);
    expect(text).not.to.contain('s3cret');
  });

  it('adds the time that a SHUTDOWNCMD does not give shutdown', () => {
    const { configuration, text } = carried(
      `${monitor.replace(/^SHUTDOWNCMD.*$/m, '')}SHUTDOWNCMD "/sbin/shutdown -h"\n`,
    );
    expect(configuration.localShutdown.command).to.deep.equal(['/sbin/shutdown', '-h', 'now']);
    expect(text).to.contain('# SHUTDOWNCMD, which gives shutdown no time; "now" is added');
  });

  it('says of each line that it does not carry why not', () => {
    const { left } = carried(`${monitor}RBWARNTIME 10\nWHAT 1\n`);
    expect(left.join('\n'))
      .to.contain('line 3, RBWARNTIME: `repeat` of a notification service')
      .and.to.contain('line 4, WHAT: not known to ridethrough init');
  });

  it('gives a secondary no flag that cuts the power', () => {
    const lines =
      'MONITOR office@nas 1 m p secondary\nSHUTDOWNCMD "poweroff"\nPOWERDOWNFLAG /etc/killpower\n';
    const { text, left } = carried(lines);
    expect(text).not.to.match(/^powerdown_flag/m);
    expect(left.join('\n')).to.contain('POWERDOWNFLAG: upsmon writes it on a primary only');
  });

  it('gives a SHUTDOWNCMD with shell text to a shell, as upsmon does', () => {
    const { configuration } = carried(`${monitor}SHUTDOWNCMD "sync && /sbin/poweroff"\n`);
    expect(configuration.localShutdown.command).to.deep.equal(['/bin/sh', '-c', 'sync && /sbin/poweroff']);
  });

  for (const [powers, needed, least] of [
    [[1, 1], 1, 1],
    [[1, 1, 1], 2, 2],
    [[1, 2], 2, 2],
    [[2, 2, 2], 4, 2],
    [[1, 1], 5, 2],
  ] as const) {
    it(`makes a group of power values ${powers.join(', ')} with MINSUPPLIES ${String(needed)}`, () => {
      const lines = powers.map(
        (power, index) => `MONITOR u${String(index)}@nas ${String(power)} m p secondary\n`,
      );
      const { configuration, left } = carried(
        `${lines.join('')}MINSUPPLIES ${String(needed)}\nSHUTDOWNCMD "shutdown -h now"\n`,
      );
      const [group] = configuration.redundancyGroups;
      expect(group?.policy).to.include({ minHealthy: least, isLocal: true, unknownCountsAs: 'healthy' });
      expect(left.some((line) => line.startsWith('power values'))).to.equal(new Set(powers).size > 1);
    });
  }

  it('leaves this machine on without a power value, and with MINSUPPLIES 0', () => {
    for (const text of [
      'MONITOR office@localhost 0 m p secondary\nSHUTDOWNCMD "shutdown -h now"\n',
      `${monitor}MINSUPPLIES 0\n`,
    ]) {
      const { configuration } = carried(text);
      expect(configuration.ups[0]?.policy.isLocal).to.equal(false);
      expect(configuration.localShutdown.triggerOn).to.equal('none');
    }
  });

  it('carries timers whose branch of CMDSCRIPT shuts down as a time on battery, and the others as hooks', () => {
    const { configuration, left } = carried(
      `${monitor}MONITOR rack@nas 0 m p secondary\nNOTIFYCMD /sbin/upssched\n${executed}`,
      {
        'cmd.sh': script,
        'upssched.conf': [
          'PIPEFN /run/p',
          'LOCKFN /run/l',
          'CMDSCRIPT FOLDER/cmd.sh',
          'AT ONBATT * START-TIMER dark 300',
          'AT ONLINE * CANCEL-TIMER dark',
          'AT ONBATT * START-TIMER dark 600',
          'AT ONBATT office@localhost START-TIMER cold 120',
          'AT ONBATT rack@nas START-TIMER dark 900',
          'AT ONBATT * START-TIMER lamp 30',
          'AT ONLINE * CANCEL-TIMER lamp',
          'AT REPLBATT * EXECUTE replace',
          'AT LOWBATT * EXECUTE dark',
          'AT COMMBAD * EXECUTE cold',
          'AT NOPARENT * EXECUTE lamp',
          'AT ONBATT * START-TIMER-SHARED all 5',
        ].join('\n'),
      },
    );
    const times = configuration.ups.map(({ policy }) => policy.triggers.extendedTime.thresholdMs / 1000);
    // The timer of all UPSes is the shorter one for rack.
    expect(times).to.deep.equal([120, 300]);
    expect(
      configuration.hooks.map(({ on, afterMs, cancelOn, command }) => [
        on,
        afterMs,
        cancelOn,
        command.slice(1),
      ]),
    ).to.deep.equal([
      [['ON_BATTERY'], 30_000, ['POWER_RESTORED'], ['lamp']],
      [['BATTERY_REPLACE'], 0, [], ['replace']],
    ]);
    expect(left.join('\n')).to.match(/START-TIMER cold 120: carried; but there each outage began at 0/);
    expect(
      left
        .filter((line) => !/there each outage|^FINALDELAY/.test(line))
        .map((line) => line.replace(/^(?:upssched.conf line \d+, )?(.*?): .*/, '$1')),
    ).to.have.members([
      'CMDSCRIPT line 5 (dark), logger',
      'CMDSCRIPT line 5 (cold), logger',
      'CMDSCRIPT line 8 (lamp), /usr/local/bin/lamp',
      'CMDSCRIPT line 8 (lamp), /usr/local/bin/lamp',
      'AT ONBATT * START-TIMER dark 300',
      'AT ONBATT * START-TIMER dark 600',
      'AT ONBATT office@localhost START-TIMER cold 120',
      'AT ONBATT rack@nas START-TIMER dark 900',
      'AT LOWBATT * EXECUTE dark',
      'AT COMMBAD * EXECUTE cold',
      'AT NOPARENT * EXECUTE lamp',
      'AT ONBATT * START-TIMER-SHARED all 5',
    ]);
  });

  it('makes hooks of all timers and says so where CMDSCRIPT cannot be read', () => {
    const { configuration, left } = carried(`${monitor}NOTIFYCMD /sbin/upssched\n${executed}`, {
      'upssched.conf': 'CMDSCRIPT /nonexistent/cmd\nAT ONBATT * START-TIMER dark 300\n',
    });
    expect(configuration.hooks).to.have.length(1);
    expect(left.join('\n')).to.contain('CMDSCRIPT (dark): it cannot be read here');
  });

  it('carries the low marks of ups.conf to the UPS of that driver', () => {
    const { configuration, left } = carried(`${monitor}MONITOR other@nas 0 m p secondary\n`, {
      'ups.conf':
        '[other]\noverride.battery.charge.low = 77\n[office]\noverride.battery.charge.low = 30\ndefault.battery.charge.low = 40\ndefault.battery.runtime.low=240\noffdelay = 60\nignorelb\n',
    });
    expect(configuration.ups.map(({ policy }) => policy.triggers.lowBatteryPercent)).to.deep.equal([30, 0]);
    expect(configuration.ups[0]?.policy.triggers.criticalRuntimeSeconds).to.equal(240);
    expect(left.join()).to.contain('offdelay');
  });

  it('takes a low mark of ups.conf for a threshold only where the driver compares with it', () => {
    const marks =
      'override.battery.charge.low = 50\noverride.battery.runtime.low = -1\ndefault.battery.runtime.low = 600\n';
    const without = carried(monitor, { 'ups.conf': `ignorelb\n[office]\n${marks}[rack]\nignorelb\n` });
    const thresholds = ({ configuration: { ups } }: Checked) => {
      const triggers = ups[0]?.policy.triggers;
      return [triggers?.lowBatteryPercent, triggers?.criticalRuntimeSeconds, triggers?.lowBatteryFlag];
    };
    expect(thresholds(without)).to.deep.equal([0, 0, true]);
    expect(without.left.filter((line) => line.includes('ignorelb'))).to.have.length(3);
    for (const text of [
      `${marks}ignorelb = yes\n`,
      `${marks}IgnoreLB\n`.replace('charge.low', 'Charge.Low'),
    ]) {
      const withIt = carried(monitor, { 'ups.conf': `[office]\n${text}` });
      expect(thresholds(withIt)).to.deep.equal([50, 0, true]);
    }
  });

  it('makes a hook of a NOTIFYCMD that is no upssched', () => {
    const { configuration } = carried(
      `${monitor}NOTIFYCMD /usr/local/bin/tell\nNOTIFYFLAG ONBATT SYSLOG+EXEC\nNOTIFYFLAG ONLINE EXEC\nNOTIFYFLAG COMMBAD IGNORE\n`,
    );
    expect(configuration.hooks.map(({ on, command }) => [on, command])).to.deep.equal([
      [['ON_BATTERY', 'POWER_RESTORED'], ['/usr/local/bin/tell']],
    ]);
  });

  it('makes a short timer no later, and says what FINALDELAY was', () => {
    const short = (line: string): Checked =>
      carried(`${monitor}NOTIFYCMD /sbin/upssched\n${executed}${line}`, {
        'cmd.sh': script,
        'upssched.conf': 'CMDSCRIPT FOLDER/cmd.sh\nAT ONBATT * START-TIMER dark 20\n',
      });
    const { configuration, left } = short('FINALDELAY 9\n');
    expect(configuration.ups[0]?.policy.triggers.stabilizationMs).to.equal(20_000);
    expect(left.join('\n')).to.match(/upsmon\.conf line \d+, FINALDELAY: upsmon waited 9 s/);
    expect(short('').left.join('\n')).to.contain('FINALDELAY, which no line sets: upsmon waited 5 s');
    expect(short('FINALDELAY 0\n').left.join('\n')).not.to.contain('FINALDELAY');
  });

  it('names no UPS where none is', () => {
    const refused = inFolder({ 'upsmon.conf': '# nothing\n' }, (folder) => importUpsmon(folder));
    expect(refused.ok ? '' : refused.message).to.match(/upsmon\.conf has no MONITOR line/);
  });

  const word = fc.oneof(
    fc.constantFrom(
      'office@localhost',
      'a@b',
      'daemon',
      'redundancy-x',
      'x@[::1]:1',
      '1',
      '0',
      '5',
      '-3',
      '99999',
      'primary',
      'u"x',
    ),
    fc.constantFrom(
      'SYSLOG+EXEC',
      'WALL',
      'ONBATT',
      'ONLINE',
      'NOCOMM',
      'upssched',
      '/bin/x',
      '"a b"',
      'x | y',
      'START-TIMER',
      '*',
      'EXECUTE',
      'CANCEL-TIMER',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replace(/[\n\0]/g, ' ')),
  );
  const keys =
    'MONITOR MONITOR MINSUPPLIES SHUTDOWNCMD POLLFREQ DEADTIME HOSTSYNC POWERDOWNFLAG NOTIFYCMD NOTIFYFLAG FINALDELAY CERTIDENT FORCESSL WHAT'.split(
      ' ',
    );
  const line = (names: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(fc.constantFrom(...names), fc.array(word, { maxLength: 6 }))
      .map(([key, words]) => [key, ...words].join(' '));

  it('writes a valid configuration, or says why not, whatever the files hold', () => {
    fc.assert(
      fc.property(
        fc.array(line(keys), { maxLength: 12 }),
        fc.array(line(['AT', 'CMDSCRIPT']), { maxLength: 6 }),
        fc.array(word, { maxLength: 6 }),
        (upsmon, upssched, ups) => {
          const files = {
            'upsmon.conf': `MONITOR first@localhost 1 u p primary\n${upsmon.join('\n')}`,
            'upssched.conf': `CMDSCRIPT /bin/true\n${upssched.join('\n')}`,
            'ups.conf': `[first]\noverride.battery.charge.low = ${ups.join('\n')}`,
          };
          inFolder(files, (folder) => {
            const imported = importUpsmon(folder);
            if (imported.ok) checked(imported);
            else expect(imported.message).to.match(/upsmon\.conf/);
          });
        },
      ),
      { numRuns: 150 },
    );
  });
});
