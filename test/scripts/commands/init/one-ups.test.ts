// apcupsd and PowerPanel: programs with one UPS.
import { expect } from 'chai';
import fc from 'fast-check';
import { basename } from 'node:path';
import { importApcupsd } from '../../../../scripts/commands/init/from/apcupsd.js';
import { importPowerpanel } from '../../../../scripts/commands/init/from/powerpanel.js';
import type { Checked } from './drafts.js';
import { checked, inFolderAsync } from './drafts.js';

const ups = 'office@localhost';
const apcupsd = (text: string, others: Readonly<Record<string, string>> = {}): Promise<Checked> =>
  inFolderAsync({ 'apcupsd.conf': text, ...others }, async (folder) =>
    checked(await importApcupsd(`${folder}/apcupsd.conf`, ups)),
  );
const powerpanel = (text: string): Promise<Checked> =>
  inFolderAsync({ 'pwrstatd.conf': text }, async (folder) =>
    checked(await importPowerpanel(`${folder}/pwrstatd.conf`, ups)),
  );

const triggersOf = ({ configuration }: Checked) => {
  const { lowBatteryPercent, criticalRuntimeSeconds, extendedTime, lowBatteryFlag } =
    configuration.ups[0]?.policy.triggers ?? {};
  return [
    lowBatteryPercent,
    criticalRuntimeSeconds,
    extendedTime?.enabled === true ? extendedTime.thresholdMs / 1000 : null,
    lowBatteryFlag,
  ];
};

describe('init --from-apcupsd', () => {
  it('carries the three numbers, and those that apcupsd takes where the file has none', async () => {
    expect(triggersOf(await apcupsd('UPSNAME x\n'))).to.deep.equal([10, 300, null, true]);
    expect(triggersOf(await apcupsd('BATTERYLEVEL 5\n'))).to.deep.equal([5, 300, null, true]);
    expect(
      triggersOf(await apcupsd('BATTERYLEVEL 12 %\nMINUTES 7.9min\nTIMEOUT 90s # early\n')),
    ).to.deep.equal([12, 420, 90, true]);
    expect(triggersOf(await apcupsd('BATTERYLEVEL -1\nMINUTES -1\nTIMEOUT 0\n'))).to.deep.equal([
      0,
      0,
      null,
      true,
    ]);
  });

  it('carries the schedule of tests and the date of the battery', async () => {
    const { configuration, text } = await apcupsd('SELFTEST 336\nBATTDATE 05/31/24\n');
    expect(text).to.contain('schedule = "every 14d"').and.to.contain('battery_install_date = "2024-05-31"');
    expect(configuration.ups[0]?.policy.isLocal).to.equal(true);
    const { left } = await apcupsd('SELFTEST 25\nBATTDATE 31.5.2024\n');
    expect(left.join()).to.contain('SELFTEST 25').and.to.contain('BATTDATE 31.5.2024');
  });

  it('makes hooks of the scripts of apccontrol that may be run', async () => {
    const { configuration, left } = await apcupsd(
      'UPSNAME rack\nONBATTERYDELAY 9\nSCRIPTDIR FOLDER/scripts.sh\n',
      {
        'scripts.sh/onbattery': '#!/bin/sh\n',
        'scripts.sh/mainsback': '#!/bin/sh\n',
      },
    );
    expect(
      configuration.hooks.map(({ on, afterMs, command }) => [
        on,
        afterMs,
        command.map((word) => basename(word)),
      ]),
    ).to.deep.equal(
      [
        [['ON_BATTERY'], 9000, ['onbattery', 'rack']],
        [['POWER_RESTORED'], 0, ['mainsback', 'rack']],
      ].toSorted(),
    );
    expect(left.join()).to.contain('ONBATTERYDELAY 9');
  });

  it('says which driver of NUT it was, and shows no long value', async () => {
    const { left } = await apcupsd('UPSTYPE snmp\nDEVICE host:161:APC:hunter2 x\nKILLDELAY 30\nWHAT 1\n');
    expect(left.join('\n'))
      .to.contain('snmp-ups')
      .and.to.contain('KILLDELAY 30: ups_output')
      .and.to.contain(', WHAT: not known');
    expect(left.join('\n')).not.to.contain('hunter2');
  });

  for (const line of [
    'UPSTYPE pcnet\nDEVICE 192.0.2.31:apc:hunter2:3052',
    'UPSTYPE pcnet\nDEVICE hunter2',
    'UPSTYPE snmp\nDEVICE 192.0.2.31:161:APC:hunter2',
    'UPSTYPE net\nUSERMAGIC hunter2',
    'UPSTYPE snmp\nDEVICE ups:161:APC_NOTRAP:hunter2 # the community',
  ])
    it(`neither prints nor writes the secret of ${line.split('\n').at(-1)?.split(' ')[0] ?? ''} in ${JSON.stringify(line)}`, async () => {
      const { left, text } = await apcupsd(`${line}\n`);
      expect(left.join('\n') + text).not.to.contain('hunter2');
      expect(left.join('\n')).to.match(/DEVICE|USERMAGIC/);
    });

  const down = '#!/bin/sh\nlogger x\n/sbin/poweroff\n';

  it('takes a script of apccontrol that shuts down for a trigger, and names one that may', async () => {
    const scripts = (text: string, more = ''): Promise<Checked> =>
      apcupsd(`SCRIPTDIR FOLDER/scripts.sh\nONBATTERYDELAY 45\n${more}`, { 'scripts.sh/onbattery': text });
    const carried = await scripts(down);
    expect(triggersOf(carried)[2]).to.equal(45);
    expect(carried.configuration.hooks).to.deep.equal([]);
    expect(carried.left.join('\n')).to.contain('onbattery of apccontrol line 2, logger: it ran with the');
    expect(triggersOf(await scripts(down, 'TIMEOUT 40\n'))[2]).to.equal(40);
    const doubted = await scripts('#!/bin/sh\n/opt/node-down.sh\n');
    expect(triggersOf(doubted)[2]).to.equal(null);
    expect(doubted.text).to.contain('UNDECIDED');
    expect(doubted.left.join('\n')).to.contain('/opt/node-down.sh: not a program that init knows.');
  });

  it('says where apcupsd acts and the import does not yet', async () => {
    const { left, configuration } = await apcupsd('BATTERYLEVEL 10\nTIMEOUT 12\n');
    expect(configuration.ups[0]?.policy.triggers.stabilizationMs).to.equal(12_000);
    expect(left.join('\n'))
      .to.contain('apcupsd acts at the number itself; here below it')
      .and.to.contain('they wait for on_battery_stabilization_delay (12 s)')
      .and.to.contain('TIMEOUT 12: carried; but there each outage began at 0');
    const off = await apcupsd('BATTERYLEVEL -1\nMINUTES -1\n');
    expect(off.left.join('\n')).not.to.match(/number itself|stabilization/);
  });

  it('says of a lost connection what apcupsd does: it waits, unless it is a client of another', async () => {
    const waits = 'apcupsd waits for it';
    expect((await apcupsd('UPSTYPE usb\n')).left.join()).to.contain(waits);
    expect((await apcupsd('UPSTYPE net\n')).left.join()).not.to.contain(waits);
  });

  it('lists each script of apccontrol that is no hook', async () => {
    const names =
      'failing timeout loadlimit runlimit emergency remotedown annoyme killpower doreboot battdetach'
        .split(' ')
        .map((name) => [`scripts.sh/${name}`, '#!/bin/sh\n'] as const);
    const { configuration, left } = await apcupsd('SCRIPTDIR FOLDER/scripts.sh\n', {
      ...Object.fromEntries(names),
      'scripts.sh/config': 'SHUTDOWN=/bin/true\n',
      'scripts.sh/doshutdown': '#!/bin/sh\nssh esxi poweroff\nexit 99\n',
    });
    for (const name of ['config', ...names.map(([path]) => basename(path))])
      expect(
        left.some((one) => one.startsWith(`${name} of apccontrol, `)),
        name,
      ).to.equal(true);
    expect(configuration.hooks.map(({ on }) => on)).to.deep.equal([['SHUTDOWN_TRIGGERED']]);
    expect(left.join('\n'))
      .to.match(/the final command of \S+\/doshutdown: .*where it ended with 99.* does not wait/)
      .and.to.contain('doshutdown of apccontrol line 2, ssh esxi: another machine; as a remote server');
  });

  const stock = [
    'SHUTDOWN=/sbin/shutdown',
    'case "$1" in',
    '    doshutdown)',
    '\techo "UPS ${2} initiated Shutdown Sequence" | ${WALL}',
    '\t${SHUTDOWN} -h now "apcupsd UPS ${2} initiated shutdown"',
    '    ;;',
    'esac',
  ].join('\n');
  for (const [what, text, expected] of [
    ['the stock one', stock, null],
    ['one that also stops a server', stock.replace('case', 'ssh nas poweroff\ncase'), 'in line 2; compare'],
    ['one that hibernates', stock.replace('${SHUTDOWN} -h now', 'systemctl hibernate'), 'in line 5; compare'],
    ['one with another program', stock.replace('/sbin/shutdown', '/root/down.sh'), 'in line 1; compare'],
    ['one that shuts nothing down', stock.replace(/.*initiated shutdown.*\n/, ''), 'of apcupsd; compare'],
    [
      'one that runs a command in a message',
      stock.replace('Sequence', () => '$(reboot)'),
      'in line 4; compare',
    ],
    ['one with backquotes in a message', stock.replace('Sequence', '`reboot`'), 'in line 4; compare'],
  ] as const)
    it(`says whether the final command is known: ${what}`, async () => {
      const { left } = await apcupsd('SCRIPTDIR FOLDER/scripts.sh\n', { 'scripts.sh/apccontrol': text });
      const final = left.filter((one) => one.includes('the final command of'));
      if (expected === null) expect(final).to.deep.equal([]);
      else expect(final.join('\n')).to.contain('it is not known').and.to.contain(expected);
    });

  it('refuses a file of something else', async () => {
    const refused = await inFolderAsync({ f: 'hello world\n' }, (folder) =>
      importApcupsd(`${folder}/f`, ups),
    );
    expect(refused.ok ? '' : refused.message).to.contain('is it apcupsd.conf?');
  });

  it('writes a valid configuration whatever the values are', async () => {
    const keys =
      'UPSNAME BATTERYLEVEL MINUTES TIMEOUT ONBATTERYDELAY SELFTEST BATTDATE SCRIPTDIR UPSTYPE DEVICE KILLDELAY'.split(
        ' ',
      );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), value), async (values) => {
        const lines = Object.entries(values).map(([key, one]) => `${key} ${one}`);
        await apcupsd(`ANNOY 1\n${lines.join('\n')}\n`);
      }),
      { numRuns: 150 },
    );
  });
});

describe('init --from-powerpanel', () => {
  it('carries both thresholds and the delay, and those of pwrstatd where the file has none', async () => {
    expect(triggersOf(await powerpanel('enable-alarm = yes\n'))).to.deep.equal([35, 300, 60, true]);
    expect(
      triggersOf(await powerpanel('powerfail-delay = 240\nlowbatt-threshold = 50\nruntime-threshold=700\n')),
    ).to.deep.equal([50, 700, 240, true]);
  });

  it('only watches where PowerPanel did', async () => {
    const watching = await powerpanel(
      'powerfail-shutdown = no\nlowbatt-shutdown = no\nlowbatt-cmd-path = /etc/b.sh\n',
    );
    expect(triggersOf(watching)).to.deep.equal([0, 0, null, false]);
    const { ups, localShutdown, hooks } = watching.configuration;
    expect([ups[0]?.policy.isLocal, localShutdown.triggerOn]).to.deep.equal([false, 'none']);
    expect(hooks.map(({ on }) => on)).to.deep.equal([['LOW_BATTERY_FLAG']]);
    for (const one of ['powerfail-shutdown = no\n', 'lowbatt-shutdown = no\n']) {
      const { configuration, left } = await powerpanel(one);
      expect(configuration.ups[0]?.policy.isLocal).to.equal(true);
      expect(left.join('\n')).to.contain('a connection that is lost on battery: PowerPanel waits');
    }
  });

  it('goes down where only a script of it did, and says where it may', async () => {
    const scripts = (text: string): Promise<Checked> =>
      inFolderAsync(
        {
          'pwrstatd.conf':
            'powerfail-shutdown = no\nlowbatt-shutdown = no\npowerfail-delay = 20\npowerfail-cmd-path = FOLDER/x.sh\n',
          'x.sh': text,
        },
        async (folder) => checked(await importPowerpanel(`${folder}/pwrstatd.conf`, ups)),
      );
    const carried = await scripts('#!/bin/sh\nsleep 5\nshutdown -h now\n');
    expect(triggersOf(carried)).to.deep.equal([0, 0, 25, false]);
    const { policy } = carried.configuration.ups[0] ?? {};
    expect([policy?.isLocal, policy?.triggers.stabilizationMs]).to.deep.equal([true, 25_000]);
    expect(carried.configuration.hooks).to.deep.equal([]);
    expect(carried.left.join('\n'))
      .to.contain('powerfail-cmd-path: carried; but there it went on')
      .and.to.contain('a connection that is lost on battery: PowerPanel waits');
    const doubted = await scripts('#!/bin/sh\n/opt/node-down.sh\n');
    expect(doubted.configuration.localShutdown.triggerOn).to.equal('none');
    expect(doubted.left.join('\n')).to.contain('/opt/node-down.sh: not a program that init knows.');
  });

  it('makes hooks of its commands, and leaves the cut of the output', async () => {
    const { configuration, left } = await powerpanel(
      'powerfail-delay = 45\npowerfail-cmd-path = /etc/a.sh\npowerfail-duration = 20\nlowbatt-active = no\nlowbatt-cmd-path = /etc/b.sh\nturn-ups-off = yes\nhibernate = no\n',
    );
    expect(configuration.hooks.map(({ on, afterMs, command }) => [on, afterMs, command])).to.deep.equal([
      [['ON_BATTERY'], 45_000, ['/etc/a.sh']],
    ]);
    expect(left.join('\n')).to.contain('turn-ups-off yes: ups_output').and.not.to.contain('hibernate');
    expect(left.join('\n')).to.contain('powerfail-duration 20: pwrstatd waits so long');
  });

  it('writes a valid configuration whatever the values are', async () => {
    const keys =
      'powerfail-delay powerfail-shutdown powerfail-cmd-path powerfail-duration lowbatt-threshold runtime-threshold lowbatt-shutdown lowbatt-cmd-path ups-polling-rate shutdown-sustain'.split(
        ' ',
      );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...keys), value), async (values) => {
        const lines = Object.entries(values).map(([key, one]) => `${key} = ${one}`);
        await powerpanel(`enable-alarm = no\n${lines.join('\n')}\n`);
      }),
      { numRuns: 150 },
    );
  });
});

const value = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '5',
    '35',
    '60',
    '101',
    '999999999',
    '1.5',
    'yes',
    'no',
    'on',
    '/bin/sh x',
    'a | b',
    '05/31/24',
    '99/99/99',
    '24',
    '336',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }).map((text) => text.replace(/[\n\r\0]/g, ' ')),
);
