// CMDSCRIPTs as people write them, and what each does when upssched calls it with `off`.
import { expect } from 'chai';
import fc from 'fast-check';
import { judged, short } from './judged.js';

const branch = (body: string): string =>
  `#!/bin/sh\ncase $1 in\n  on) logger on ;;\n  off)\n    ${body}\n    ;;\nesac\n`;

describe('a script that a timer calls', () => {
  for (const body of [
    '/sbin/upsmon -c fsd',
    'upsmon -c fsd',
    '$UPSMON -c fsd',
    '"${UPSMON:-/sbin/upsmon}" -c fsd',
    '/sbin/shutdown -h now',
    '/sbin/shutdown -h +0 "power failed on $UPSNAME, $(hostname)"',
    'shutdown -P now',
    'sudo shutdown -h now',
    'sudo -n /sbin/shutdown -h now',
    'doas -n poweroff',
    'exec /sbin/poweroff',
    'nohup poweroff &',
    'halt -p',
    'poweroff -f',
    'init 0',
    '/sbin/telinit 0',
    'systemctl poweroff',
    'systemctl --no-block -i poweroff',
    'systemctl --job-mode=replace-irreversibly start poweroff.target',
    '/usr/local/sbin/node-down.sh',
    'sh -c "sync; /sbin/shutdown -h now"',
    'down',
    'if [ "$1" = off ]; then /sbin/poweroff; fi',
    '[ "$1" = "off" ] && sudo poweroff',
    'test "$1" != on && poweroff',
    '[ "$1" = on ] || poweroff',
    'logger "shutting down"; /sbin/upsmon -c fsd >/dev/null 2>&1',
    'upsmon -c fsd 2>&1 | logger -t upssched',
    'echo "going down" | wall && true; poweroff',
    'cat <<EOF | mail -s off root\nshutdown follows\nEOF\n    poweroff',
    'case $NOTIFYTYPE in ONBATT) poweroff ;; *) logger no ;; esac',
    'case "$UPSNAME" in office*) poweroff ;; esac',
    'CMD="shutdown -h now"\n    $CMD',
    'if ping -c1 192.0.2.1; then poweroff; else poweroff; fi',
    '{ logger x; poweroff; } >>/var/log/ups.log',
    'set -e; poweroff',
    'env LANG=C poweroff',
    'nice -n 5 poweroff',
    'exec >>/var/log/ups.log 2>&1\n    poweroff',
    'exec </dev/null 3<&0; poweroff',
    'set -eu; [ "${1:-}" = off ] && poweroff',
    '[ $# -lt 2 ] && poweroff',
    '/run/current-system/sw/bin/systemctl poweroff',
    '/nix/store/0c3gdwbvi6x0rfdhvvw4nxvfgwg9qc8h-nut-2.8.2/sbin/upsmon -c fsd',
  ])
    it(`shuts down: ${body.split('\n').at(-1)?.trim() ?? ''}`, () => {
      const text = `#!/bin/sh\nUPSMON=/usr/sbin/upsmon\ndown() {\n  /sbin/shutdown -h now\n}\n${branch(body).slice(10)}`;
      expect(short(judged(text))).to.equal('down 0');
    });

  for (const [body, seconds] of [
    ['/sbin/shutdown -h +10', 600],
    ['shutdown -h 5 "bye"', 300],
    // systemd waits a minute.
    ['/sbin/shutdown -h', 60],
    ['sleep 300; poweroff', 300],
    ['sleep 5m && poweroff', 300],
    ['/bin/sleep 300; poweroff', 300],
    ['/usr/bin/sleep 5m && poweroff', 300],
    ['/run/current-system/sw/bin/sleep 300; poweroff', 300],
    ['nice -n 5 /bin/sleep 300; poweroff', 300],
    ['sleep 1.5 30; poweroff', 32],
    ['(sleep 60; shutdown -h +1) &', 120],
    ['sleep 60 & poweroff', 0],
    ['shutdown -h +10; sleep 30; poweroff', 30],
  ] as const)
    it(`shuts down after ${String(seconds)} s: ${body}`, () => {
      expect(short(judged(branch(body)))).to.equal(`down ${String(seconds)}`);
    });

  for (const body of [
    'logger "shutdown -h now follows"',
    'echo "upsmon -c fsd"; echo poweroff',
    "wall 'halt; poweroff'",
    '# shutdown -h now',
    'shutdown -k now "only a message"',
    'shutdown -c',
    'sudo shutdown -c "power is back"',
    'halt -w',
    'ssh admin@nas sudo shutdown -h now',
    'ssh -o BatchMode=yes -p 2222 nas poweroff',
    'exit 0\n    poweroff',
    'if [ "$1" = on ]; then poweroff; fi',
    '[ "$1" = on ] && poweroff',
    'false_alarm() { poweroff; }',
    "cat >/var/log/note <<'EOF'\n/sbin/shutdown -h now\nEOF",
    'cat <<EOF | mail root\npoweroff\nEOF',
    'case $NOTIFYTYPE in ONLINE) poweroff ;; esac',
    'case $UPSNAME in rack*) poweroff ;; esac',
    'upsmon -c reload',
    'echo "shutdown -h now" >>/var/log/ups',
    'echo "power is out" >/srv/host-pipe',
    'systemctl stop libvirtd',
    'curl -fsS https://hooks.example.com/off?why=shutdown',
    'upscmd -u a -p b office beeper.mute',
    'sleep 60; logger x',
    'for i in 1 2 3; do logger $i; done',
    'MSG="shutdown now"; echo "$MSG" | mail -s "$MSG" root',
    'docker stop web',
    '[ "$2" ] && poweroff',
    'touch /run/ups-on-battery; echo "$(date) shutdown" >>/var/log/ups; echo down >/srv/ups.log',
    'echo "the shutdown comes" >/run/note; cp /etc/motd /run/note',
    'if [ -f /run/quiet ]; then exit 0; fi; logger x',
  ])
    it(`does not: ${body.replaceAll('\n', ' ')}`, () => {
      expect(short(judged(branch(body)))).to.equal('no');
    });

  for (const [body, line = 5] of [
    ['if [ -f /run/maintenance ]; then exit 0; fi; poweroff'],
    ['ping -c1 192.0.2.1 || poweroff'],
    ['if upsc office ups.status | grep -q OB; then poweroff; fi'],
    ['for ups in $(upsc -l); do poweroff; done'],
    ['while sleep 1; do poweroff; done'],
    ['until ping -c1 nas; do sleep 1; done; poweroff'],
    ['sleep $DELAY; poweroff'],
    ['wait; poweroff'],
    ['echo "/sbin/shutdown -h now" | at now + 5 minutes'],
    ['at now + 5 minutes <<EOF\npoweroff\nEOF'],
    ['echo o > /proc/sysrq-trigger'],
    ['echo o | sudo tee /proc/sysrq-trigger'],
    ['echo mem >"$STATE_FILE"'],
    ['exec >>"$LOG"; logger x'],
    ['exec >/proc/sysrq-trigger; echo o'],
    ['exec >>"$LOG"\n    poweroff', 6],
    ['exec "$SCRIPT"\n    poweroff'],
    ['loginctl poweroff'],
    [
      'dbus-send --system --print-reply --dest=org.freedesktop.login1 /org/freedesktop/login1 m.PowerOff boolean:true',
    ],
    ['/opt/scripts/down.sh'],
    ['/usr/local/bin/shutdown-all'],
    ['/nix/store/x/bin/../../../home/poweroff'],
    ['/home/me/nix/store/x/bin/poweroff'],
    ['"$SCRIPT" now'],
    ['$(cat /etc/nut/command)'],
    ['eval "$COMMAND"'],
    ['. /etc/nut/functions\n    poweroff', 6],
    ['ssh localhost poweroff'],
    ['ssh 127.0.0.1 poweroff'],
    ['ssh "$HOST" poweroff'],
    ['shutdown -r now'],
    ['reboot'],
    ['shutdown -h 23:00'],
    ['shutdown $OPTS now'],
    ['systemctl suspend'],
    ['systemctl -H nas poweroff'],
    ['sudo -u nobody poweroff'],
    ["su nobody -c 'shutdown -h now'"],
    ['chroot /srv shutdown -h now'],
    ['upscmd -u a -p b office load.off.delay 60'],
    ['curl -X POST http://localhost:8006/shutdown'],
    ['python3 -c "import os"'],
    ['shutdown -h +10; shutdown -c'],
    ['set -e; ping -c1 nas; poweroff'],
    ['set -u; sleep $TIME; poweroff'],
    ['set -u; echo $TIME; poweroff'],
    ['set -u; for i in $LIST; do echo x; done; poweroff'],
    ['set -n; poweroff'],
    ['set -o noexec; poweroff'],
    ['set -o pipefail; poweroff'],
    ['set -E -t; poweroff'],
    ['a=(1 2); poweroff'],
    ['(( x > 1 )) && poweroff'],
    ['diff <(ls) <(ls) && poweroff'],
    ['case $REASON in power) poweroff ;; esac'],
    ['bash -c "$CMD"'],
    ['systemd-run --on-active=60 systemctl poweroff'],
    ['f() { f; }; f; poweroff', 0],
    ['read -t 300 x; poweroff'],
    ['IFS=,; CMD="shutdown -h now"; $CMD'],
    ['systemctl restart ups-off.service'],
    ['service ups-off restart'],
    ['shutdown --help'],
    ['shutdown --show -h now'],
    ['echo "shutdown -h now" >/srv/host-pipe'],
    ["printf 'sudo poweroff\\n' >>/srv/host-pipe"],
    ['touch /run/nut/do-shutdown'],
    ['echo 1 >/run/ups_power_off'],
    ['cp /etc/ups/note /etc/killpower'],
    ['echo "ups.status: OB LB" >/etc/nut/dummy.dev'],
    ['echo 1 | tee /run/shutdown.flag'],
  ] as const)
    it(`is named: ${body.replaceAll('\n', ' ')}`, () => {
      expect(short(judged(branch(body)))).to.equal(`unsure ${String(line)}`);
    });

  it('gets the arguments that set gives it', () => {
    for (const [given, expected] of [
      ['-- on', 'no'],
      ['--', 'no'],
      ['-e off', 'down 0'],
      ['-- $2 $TIME off', 'unsure 2'],
    ] as const)
      expect(short(judged(`#!/bin/sh\nset ${given}; [ "$1" = off ] && poweroff\n`)), given).to.equal(
        expected,
      );
  });

  it('is named as a whole where it is no shell, or never ends a form', () => {
    for (const text of [
      '#!/usr/bin/python3\nprint(1)\n',
      '#!/usr/bin/tclsh\nexec poweroff\n',
      '#!/usr/bin/env sh -e\npoweroff\n',
      '#!/bin/sh\nif true; then poweroff\n',
      '#!/bin/sh\necho "poweroff\n',
    ])
      expect(judged(text)).to.deep.include({ kind: 'unsure', why: 'not a form of shell that init reads' });
  });

  it('does the first branch that fits, and no other', () => {
    const text = '#!/bin/sh\ncase "$1" in\n on|off) logger x ;;\n off) poweroff ;;\n *) halt ;;\nesac\n';
    expect([judged(text), judged(text, 'other')].map(short)).to.deep.equal(['no', 'down 0']);
  });

  it('lists what else it runs, without what may be a secret, and other machines', () => {
    const verdict = judged(
      branch(
        '/opt/scripts/stop-clients.sh hunter2\n    ssh -l admin 192.0.2.1 "shutdown -p now"\n    upscmd -u a -p hunter2 router load.off.delay 60\n    sudo shutdown -h +1',
      ),
    );
    expect(verdict).to.deep.include({ kind: 'down', seconds: 60, waits: 'shutdown', needsRoot: false });
    expect(verdict.kind === 'down' ? verdict.others : []).to.deep.equal([
      { line: 5, text: '/opt/scripts/stop-clients.sh' },
      { line: 7, text: 'upscmd load.off.delay' },
    ]);
    expect(verdict.remotes).to.have.length(1);
    expect(verdict.remotes[0]).to.include({
      line: 6,
      host: '192.0.2.1',
      user: 'admin',
      command: 'shutdown -p now',
    });
    expect(JSON.stringify(verdict)).not.to.contain('hunter2');
  });

  it('reads the options of ssh that a login needs', () => {
    for (const [line, login] of [
      ['ssh -p 2222 -i /k -l me nas halt', ['nas', 'me', '2222', '/k', 'halt']],
      ['ssh -4p2222 -oBatchMode=yes -lme nas halt', ['nas', 'me', '2222', '', 'halt']],
      ['ssh -i $KEY -o Port=7 -qt you@nas -p 5', ['nas', 'you', '', '', '-p 5']],
    ] as const) {
      const [{ host, user, port, key, command } = {}] = judged(branch(line)).remotes;
      expect([host, user, port, key, command], line).to.deep.equal(login);
    }
  });

  it('names what follows `exec` with redirections', () => {
    for (const log of ['/var/log/ups.log', '"$LOG"']) {
      const verdict = judged(branch(`exec >>${log} 2>&1\n    ssh nas poweroff\n    /opt/down.sh`));
      expect(verdict.remotes.map(({ host }) => host)).to.deep.equal(['nas']);
      expect(verdict.kind === 'unsure' ? verdict.commands.at(-1) : null).to.deep.equal({
        line: 7,
        text: '/opt/down.sh',
      });
    }
  });

  it('says whether only root may do it', () => {
    const needs = (body: string) => {
      const verdict = judged(branch(body));
      return verdict.kind === 'down' && verdict.needsRoot;
    };
    expect(['poweroff', 'sudo poweroff', 'upsmon -c fsd'].map(needs)).to.deep.equal([true, false, false]);
  });

  it('ends for any text', () => {
    const piece = fc.constantFrom(
      ...'case $1 in|off)|;;|esac|if|then|fi|for x in|do|done|(|)|{|}|$(|`|"|\'|\\|\n|;|&|&&|<<E|E|$x|${x:-y}|poweroff|sleep 9|f()|f|#|[ a = b ]'.split(
        '|',
      ),
      '|',
      '||',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        judged(pieces.join(' '));
      }),
      { numRuns: 3000 },
    );
    for (const nested of ['(', '$(', '{ ', 'if ', '`', 'a() ', '"$(', '<<A ']) judged(nested.repeat(20_000));
  }).timeout(20_000);
});
