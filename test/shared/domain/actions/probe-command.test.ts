import { expect } from 'chai';
import type { PreShutdownAction } from '../../../../shared/domain/actions/remote-work.js';
import {
  isHarmlessProbe,
  isKnownHarmless,
  isPlainProbe,
  probeFault,
} from '../../../../shared/domain/actions/probe-command.js';
import { serverActions } from '../../../../shared/domain/actions/on-servers.js';
import { changing, ordered, wrapped } from './changing-probes.js';
import { harmless, unknown } from './harmless-probes.js';

const notPlain = [
  '',
  '   ',
  'shutdown -h now',
  '/sbin/shutdown',
  'SHUTDOWN',
  'sudo -n poweroff',
  'busybox poweroff',
  'esxcli system shutdown poweroff',
  'init 0',
  'systemctl stop sshd',
  'systemctl isolate rescue.target',
  'unknown-tool systemctl --now stop sshd',
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
  'sh -c "docker kill x"',
  'echo *',
  'a'.repeat(1025),
];
describe('a probe command', () => {
  for (const text of harmless)
    it(`may be ${JSON.stringify(text)}`, () => {
      expect(probeFault(text)).to.equal(null);
      expect(isHarmlessProbe(text)).to.equal(true);
      expect(isKnownHarmless(text)).to.equal(true);
    });
  for (const text of unknown)
    it(`may be ${JSON.stringify(text)}, of which nothing is known`, () => {
      expect(isHarmlessProbe(text)).to.equal(true);
      expect(isKnownHarmless(text)).to.equal(false);
    });
  for (const text of notPlain)
    it(`may not be ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(isPlainProbe(text)).to.equal(false);
      expect(isHarmlessProbe(text)).to.equal(false);
    });
  for (const text of [...changing, ...ordered, ...wrapped])
    it(`may not change anything: ${text}`, () => {
      expect(probeFault(text)).to.be.a('string');
      expect(isHarmlessProbe(text)).to.equal(false);
    });

  it('is refused with what it does', () => {
    expect(probeFault('sudo -n /bin/kill 1')).to.equal('begins with "kill"');
    expect(probeFault('midclt call vm.stop 1')).to.equal('tells midclt to "vm.stop"');
    expect(probeFault('unknown-tool docker kill x')).to.equal('runs "docker kill", as a shutdown does');
  });

  it('runs no command that a predefined action uses', () => {
    const order = {
      projects: [],
      mounts: [],
      runtime: 'docker',
      uri: null,
    } as const satisfies Partial<PreShutdownAction>;
    const stopping =
      /(?:\$S |\blibvirt |^\s*)([a-z-]+) (shutdown|destroy|stop|vm-shutdown|vmsvc\/power\.(?:off|shutdown))\b/g;
    const scripts = Object.values(serverActions).flatMap((action) =>
      action.lines({ ...order, useSudo: true, seconds: 60, ownContainer: null, ranMark: 'mark' }),
    );
    const found = scripts.flatMap((line) =>
      [...line.matchAll(stopping)].map(([, tool = '', verb = '']) => `${tool} ${verb}`),
    );
    expect(found).to.include.members([
      'qm stop',
      'pct shutdown',
      'xe vm-shutdown',
      'vim-cmd vmsvc/power.off',
    ]);
    for (const command of found) expect(probeFault(`unknown-tool ${command} x`), command).not.to.equal(null);
  });

  it('is classified without an exception for any text', () => {
    for (const word of [
      'constructor',
      '__proto__',
      'toString',
      '--',
      '-',
      '.',
      '/',
      '//',
      '=',
      'a=',
      'sudo --',
      'env -S',
      '%',
    ])
      for (const text of [
        word,
        `sudo ${word}`,
        `${word} x`,
        `timeout ${word} ${word}`,
        `${`${word} `.repeat(100)}x`.slice(0, 1000),
      ])
        expect(probeFault(text), text).to.satisfy(
          (fault: unknown) => fault === null || typeof fault === 'string',
        );
  });
});
