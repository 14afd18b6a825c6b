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
  it('carries the three numbers, and those of apcupsd where the file has none', async () => {
    expect(triggersOf(await apcupsd('UPSNAME x\n'))).to.deep.equal([5, 180, null, true]);
    expect(triggersOf(await apcupsd('BATTERYLEVEL 12\nMINUTES 7\nTIMEOUT 90 # early\n'))).to.deep.equal([
      12,
      420,
      90,
      true,
    ]);
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
      .and.to.contain('WHAT 1: not known');
    expect(left.join('\n')).not.to.contain('hunter2');
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
    expect(triggersOf(await powerpanel('powerfail-shutdown = no\nlowbatt-shutdown = no\n'))).to.deep.equal([
      0,
      0,
      null,
      false,
    ]);
  });

  it('makes hooks of its commands, and leaves the cut of the output', async () => {
    const { configuration, left } = await powerpanel(
      'powerfail-delay = 45\npowerfail-cmd-path = /etc/a.sh\npowerfail-duration = 20\nlowbatt-active = no\nlowbatt-cmd-path = /etc/b.sh\nturn-ups-off = yes\nhibernate = no\n',
    );
    expect(configuration.hooks.map(({ on, afterMs, command }) => [on, afterMs, command])).to.deep.equal([
      [['ON_BATTERY'], 45_000, ['/etc/a.sh']],
    ]);
    expect(left.join('\n')).to.contain('turn-ups-off yes: ups_output').and.not.to.contain('hibernate');
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
