// Requests and logins of a script that reach another machine, or this one by another way.
import { expect } from 'chai';
import { judged, short } from './judged.js';

describe('a script that asks an interface over HTTP', () => {
  const base = 'https://pve-001.home.example:8006/api2/json';

  for (const line of [
    `curl -k -X POST --data "command=shutdown" -H "$AUTH" "${base}/nodes/pve-001/status"`,
    `curl -k -X POST --data "command=shutdown" -H "$AUTH" ${base}/nodes/"$NODE"/status`,
    'curl -X POST -H "Authorization: Bearer $T" http://homeassistant.example:8123/api/services/hassio/host_shutdown',
    'curl -X POST http://ha.example:8123/api/webhook/ups_shutdown -d "{}"',
    'curl -s -X POST https://nas.example/api/v2.0/system/shutdown',
    'curl "http://nas.example:5000/webapi/entry.cgi?api=SYNO.Core.System&version=1&method=shutdown"',
    `curl -k -u "$U:$P" -X POST -d '{"ResetType": "GracefulShutdown"}' https://bmc.example/redfish/v1/Systems/1`,
    'curl -k -X POST https://bmc.example/redfish/v1/Systems/1/Actions/ComputerSystem.Reset -d @off.json',
    'wget -qO- --post-data=x=1 http://cloudkey.example/api/system/poweroff',
  ])
    it(`may shut this machine down: ${line}`, () => {
      expect(short(judged(`#!/bin/sh\n${line}\n`))).to.equal('unsure 2');
    });

  for (const line of [
    'curl -H "$AUTH" -d "UPS on battery for 30 s, shutting down systems." https://ntfy.example/AlertChannel',
    'curl -fsS "https://hooks.example/off?why=shutdown"',
    `curl -X POST -d '{"text": "command: shutdown follows at 20 %"}' https://chat.example/hook`,
    'curl -s "https://api.telegram.org/bot123:AA/sendMessage" -d chat_id=1 -d text="shutdown now"',
    'wget -q -O /dev/null "https://status.example/api/push/abc?status=down&msg=power%20off"',
  ])
    it(`tells of a shutdown and makes none: ${line}`, () => {
      expect(short(judged(`#!/bin/sh\n${line}\n`))).to.equal('no');
    });
});

describe('a login of a script to another machine', () => {
  for (const [line, host, user = ''] of [
    ['timeout 30 ssh -o BatchMode=yes root@192.0.2.5 poweroff', '192.0.2.5', 'root'],
    ['timeout -k 5 30s /usr/bin/ssh nas poweroff', 'nas'],
    ['sshpass -p "$PASSWORD" ssh -o StrictHostKeyChecking=no root@192.0.2.6 poweroff', '192.0.2.6', 'root'],
    ['sshpass -p hunter2 ssh nas poweroff', 'nas'],
    ['sshpass -f /root/word ssh nas poweroff', 'nas'],
    ['sudo -u jon ssh loki poweroff', 'loki'],
    ['sudo -n -u jon -- /usr/bin/ssh loki poweroff', 'loki'],
    ['runuser -u jon -- ssh loki poweroff', 'loki'],
    ['nohup timeout 60 ssh loki poweroff >/dev/null 2>&1 &', 'loki'],
  ] as const)
    it(`is read through what starts it: ${line}`, () => {
      const verdict = judged(`#!/bin/sh\n${line}\n`);
      expect(short(verdict)).to.equal('no');
      expect(verdict.remotes.map((remote) => [remote.host, remote.user, remote.command])).to.deep.equal([
        [host, user, 'poweroff'],
      ]);
      expect(JSON.stringify(verdict)).not.to.contain('hunter2');
    });

  for (const line of [
    'timeout "$LIMIT" ssh nas poweroff',
    'timeout 30 /opt/down.sh',
    'sudo -u jon poweroff',
    'sudo -u jon sh -c "ssh nas poweroff; poweroff"',
    'sshpass -p x /opt/ssh nas poweroff',
  ])
    it(`is named where it is not read: ${line}`, () => {
      expect(short(judged(`#!/bin/sh\n${line}\n`))).to.equal('unsure 2');
    });

  it('that ends in a power-off of this machine behind timeout is one', () => {
    expect(short(judged('#!/bin/sh\ntimeout 10 upsmon -c fsd\n'))).to.equal('down 0');
  });
});
