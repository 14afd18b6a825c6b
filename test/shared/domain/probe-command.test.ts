import { expect } from 'chai';
import { isHarmlessProbe } from '../../../shared/domain/probe-command.js';

const harmless = [
  'true',
  '/bin/true',
  'uname -a',
  'hostname',
  'cat /etc/shutdown-history',
  'systemctl status sshd',
];
const refused = [
  '',
  '   ',
  'shutdown -h now',
  '/sbin/shutdown',
  'SHUTDOWN',
  'sudo -n poweroff',
  'esxcli system shutdown poweroff',
  'init 0',
  'systemctl stop sshd',
  'systemctl isolate rescue.target',
  'virsh --quiet destroy web',
  'powershell Stop-Computer',
  'true; true',
  'true && true',
  'true | cat',
  'echo $(id)',
  'echo `id`',
  'true > /tmp/x',
  'true\ntrue',
  "sh -c 'true'",
  'echo *',
  'a'.repeat(1025),
];

describe('a probe command', () => {
  for (const text of harmless)
    it(`may be ${JSON.stringify(text)}`, () => expect(isHarmlessProbe(text)).to.equal(true));
  for (const text of refused)
    it(`may not be ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(isHarmlessProbe(text)).to.equal(false));
});
