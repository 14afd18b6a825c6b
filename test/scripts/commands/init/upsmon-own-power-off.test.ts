// A script that powers this machine off itself, where SHUTDOWNCMD does not; and numbers as upsmon reads them.
import { expect } from 'chai';
import type { Checked } from './drafts.js';
import { carried } from './upsmon-files.js';

const notify = 'NOTIFYCMD /sbin/upssched\nNOTIFYFLAG ONBATT EXEC\nNOTIFYFLAG ONLINE EXEC\n';
const monitor = 'MONITOR office@localhost 1 monuser "s3cret word" secondary\n';

const withScript = (line: string, shutdownCommand: string | null): Checked =>
  carried(`${monitor}${notify}${shutdownCommand === null ? '' : `SHUTDOWNCMD "${shutdownCommand}"\n`}`, {
    'cmd.sh': `#!/bin/sh\ncase $1 in\n off) ${line} ;;\nesac\n`,
    'upssched.conf':
      'CMDSCRIPT FOLDER/cmd.sh\nPIPEFN /run/p\nLOCKFN /run/l\nAT ONBATT * START-TIMER off 120\nAT ONLINE * CANCEL-TIMER off\n',
  });

describe('a script that powers this machine off itself', () => {
  for (const shutdownCommand of [null, '/bin/true', 'true', ':', 'logger -t nut shutdown'])
    it(`is the power-off of the plan where SHUTDOWNCMD is ${shutdownCommand ?? 'not set'}`, () => {
      const { configuration, text, left } = withScript('/sbin/shutdown -h now', shutdownCommand);
      expect(configuration.localShutdown.enabled).to.equal(true);
      expect(text).to.contain('command = "shutdown -h now"');
      expect(configuration.ups[0]?.policy.triggers.extendedTime).to.include({
        enabled: true,
        thresholdMs: 120_000,
      });
      expect(left.join('\n')).to.contain('SHUTDOWNCMD: ').and.to.contain('LB and FSD, at which upsmon');
    });

  it('asks upsmon, which has no command: the machine stays on as before', () => {
    const { configuration, left } = withScript('upsmon -c fsd', null);
    expect(configuration.localShutdown.enabled).to.equal(false);
    expect(left.join('\n')).not.to.contain('LB and FSD');
    expect(left.join('\n')).to.contain('SHUTDOWNCMD: no line has one, and upsmon itself powered nothing off');
  });

  it('is named where it is not known, with what else the machine needs then', () => {
    const { configuration, left } = withScript('UPSSafeShutdown', '');
    expect(configuration.localShutdown.enabled).to.equal(false);
    expect(left.join('\n'))
      .to.contain('UPSSafeShutdown: not a program that init knows')
      .and.to.contain('remove that and set local_shutdown.command');
  });

  it('leaves a SHUTDOWNCMD that powers off as it is', () => {
    const { text, left } = withScript('/sbin/shutdown -h now', '/usr/local/sbin/down.sh');
    expect(text).to.contain('command = ["/usr/local/sbin/down.sh"]');
    expect(left.join('\n')).not.to.contain('LB and FSD');
  });

  it('is none by the words of a SHUTDOWNCMD that does nothing', () => {
    const { configuration } = withScript('logger on; true', 'true');
    expect(configuration.ups[0]?.policy.triggers.extendedTime.enabled).to.equal(false);
  });
});

describe('SHUTDOWNCMD', () => {
  const told = (line: string): Checked =>
    carried(`MONITOR office@localhost 1 monuser "s3cret word" primary\nSHUTDOWNCMD ${line}\n`);

  it('is the first word of its line, as for upsmon, and init says so', () => {
    const { text, left } = told('/sbin/shutdown -h now');
    expect(text).to.contain('command = ["/sbin/shutdown", "now"]');
    expect(left.join('\n'))
      .to.contain('upsmon.conf line 2, SHUTDOWNCMD: upsmon runs its first word alone')
      .and.to.contain('goes down that much earlier');
    expect(told('"/sbin/shutdown -h now"').left.join('\n')).not.to.contain('SHUTDOWNCMD: ');
  });

  it('without a time is at once here, and init says so', () => {
    expect(told('"/sbin/shutdown -h"').left.join('\n')).to.contain(
      'upsmon.conf line 2, SHUTDOWNCMD: without a time shutdown waits a minute',
    );
  });
});

describe('a number in upsmon.conf', () => {
  it('is the digits that its text begins with', () => {
    const { configuration, text } = carried(
      'MONITOR office@localhost 1x monuser "s3cret word" primary\nSHUTDOWNCMD "/sbin/shutdown -h +0"\nDEADTIME 25s\nPOLLFREQ 4;\nPOLLFREQALERT 4s\nHOSTSYNC 20s\nMINSUPPLIES 1,\nFINALDELAY 0s\n',
    );
    expect(configuration.ups[0]?.policy).to.include({ isLocal: true, checkIntervalMs: 4000 });
    expect(configuration.ups[0]?.policy.triggers.failsafeMs).to.equal(25_000);
    expect(text).to.contain('hostsync = 20').and.not.to.contain('FINALDELAY');
  });

  it('without digits is named, and the own default counts', () => {
    const { configuration, left } = carried(
      'MONITOR office@localhost 1 monuser "s3cret word" primary\nSHUTDOWNCMD "/sbin/shutdown -h +0"\nDEADTIME (= POLLFREQ * 6)\n',
    );
    expect(configuration.ups[0]?.policy.triggers.failsafeMs).to.equal(15_000);
    expect(left.join('\n')).to.contain('DEADTIME (=: failsafe_delay takes');
  });
});
