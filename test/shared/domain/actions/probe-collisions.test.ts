import { expect } from 'chai';
import { runsCommand } from '../../../../shared/domain/actions/probe-command.js';

describe('the comparison of a probe command with the other commands of the file', () => {
  for (const [probe, command] of [
    ['/opt/off.sh', '/opt/off.sh'],
    ['/opt/off.sh --now', '/opt/off.sh --now'],
    ['off.sh --now', '/opt/off.sh --now'],
    ['sudo -n /opt/off.sh --now', '/opt/off.sh --now'],
    ['/opt/off.sh --now', 'sudo -n /opt/off.sh --now'],
    ['/opt/off.sh --verbose --now', 'sudo -n /opt/off.sh --now'],
    ['timeout 5 off.sh --now now', 'doas -u root env A=b nice -n 5 /opt/off.sh --now'],
    ['OFF.SH --NOW', '/opt/off.sh --now'],
    ['/opt/../opt/off.sh --now', '/opt/off.sh --now'],
    ['off.sh //data/x/../y/', '/opt/off.sh /data/y'],
    ['off.sh --now', `sh -c '/opt/off.sh --now; true'`],
    ['off.sh --now', 'test -f /etc/x && /opt/off.sh --now >/dev/null 2>&1'],
    ['off.sh --now', 'if true; then /opt/off.sh --now; fi'],
    ['off.sh --now', 'sleep 5; (/opt/off.sh --now) &'],
    ['off.sh my box', '/opt/off.sh "my box"'],
    ['unknown-tool /opt/off.sh --now', '/opt/off.sh --now'],
    ['unknown-tool off.sh', '/opt/off.sh'],
    ['env -Soff.sh', '/opt/off.sh'],
    ['echo bye', 'echo bye'],
    ['uptime', 'uptime'],
    ['docker info', 'docker info'],
    ['/opt/check.sh', '/opt/check.sh && /opt/off.sh'],
    ['off', 'C:\\tools\\off.exe'],
  ] as const)
    it(`finds that ${JSON.stringify(probe)} runs ${JSON.stringify(command)}`, () =>
      expect(runsCommand(probe, command)).to.equal(true));
  for (const [probe, command] of [
    ['true', 'true'],
    ['true', 'sudo -n true'],
    ['true', '/bin/true; /opt/off.sh'],
    [':', ':'],
    ['echo', 'echo'],
    ['echo ok', 'echo'],
    ['true', ''],
    ['true', '   '],
    ['true', '; ; "'],
    ['/opt/off.sh status', '/opt/off.sh --now'],
    ['/opt/off.sh', '/opt/off.sh --now'],
    ['test -f /etc/x', 'test -f /etc/x && /opt/off.sh'],
    ['cat /opt/official.sh', '/opt/off.sh'],
    ['sudo', 'sudo -n /opt/off.sh'],
    ['uptime', 'sudo -n shutdown -h now'],
    ['hostname', 'hostname && /opt/off.sh'],
    ['docker info', 'docker info && /opt/off.sh'],
    ['systemctl is-active x', 'sudo systemctl is-active x && systemctl stop x'],
  ] as const)
    it(`finds that ${JSON.stringify(probe)} does not run ${JSON.stringify(command)}`, () =>
      expect(runsCommand(probe, command)).to.equal(false));
});
