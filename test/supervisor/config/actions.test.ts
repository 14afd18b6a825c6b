import { expect } from 'chai';
import { configurationFrom, problemsOf, refuses, withServer } from './loading.js';

const at = 'ups[office@127.0.0.1:3493].remote_servers[nas]';
const first = `${at}.pre_shutdown_commands[0]`;
const step = (lines: string): string => `${withServer}[[ups.remote_servers.pre_shutdown_commands]]\n${lines}`;
const wake = (inline: string): string => `${withServer}wake = { ${inline} }`;

describe('a pre-shutdown command', () => {
  refuses([
    {
      it: 'has an action or a command',
      file: step('timeout = 5'),
      path: first,
      message: 'expected action = "..." or command = "...", found neither',
    },
    {
      it: 'does not have both an action and a command',
      file: step('action = "sync"\ncommand = "sync"'),
      path: first,
      message: 'gives both action and command; each entry does one thing',
    },
    {
      it: 'names the compose file to stop',
      file: step('action = "stop_compose"'),
      path: `${first}.path`,
      message: 'missing; stop_compose needs the path of the compose file',
    },
    {
      it: 'names the mounts to unmount',
      file: step('action = "unmount_filesystems"\nmounts = []'),
      path: `${first}.mounts`,
      message: 'missing; unmount_filesystems needs the mounts to unmount',
    },
    {
      it: 'has no unused path',
      file: step('action = "sync"\npath = "/a"'),
      path: `${first}.path`,
      message: 'has no effect here: only stop_compose takes a path',
    },
    {
      it: 'has no unused mounts',
      file: step('command = "true"\nmounts = ["/mnt/a"]'),
      path: `${first}.mounts`,
      message: 'has no effect here: only unmount_filesystems takes mounts',
    },
    {
      it: 'never unmounts the root',
      file: step('action = "unmount_filesystems"\nmounts = ["/"]'),
      path: `${first}.mounts[0]`,
      message: 'expected the absolute path of a mount point (not "/"), or a table, found "/"',
    },
  ]);

  it('is one of the known actions', () => {
    const [problem] = problemsOf(step('action = "stop_proxmox"'));
    expect(problem?.path).to.equal(`${first}.action`);
    expect(problem?.message).to.match(
      /^expected one of "sync", .*"unmount_filesystems", found "stop_proxmox"$/,
    );
  });

  it('may be any text for the shell of the other machine', () => {
    const text = step('command = "cd /srv && ./stop.sh | logger"\ntimeout = 7');
    const [server] = configurationFrom(text).ups[0]?.resources.remoteServers ?? [];
    expect(server?.preShutdownCommands[0]?.command).to.equal('cd /srv && ./stop.sh | logger');
    expect(server?.preShutdownCommands[0]?.timeoutSeconds).to.equal(7);
  });
});

describe('the wake-up of a server', () => {
  refuses([
    {
      it: 'has either a hardware address or a command',
      file: wake('mac = "00:00:5e:00:53:01", command = "x"'),
      path: `${at}.wake`,
      message: 'expected either mac = "..." (Wake-on-LAN) or command = "...", exactly one of them',
    },
    {
      it: 'runs its command through another server only',
      file: wake('command = "x", via = "nas"'),
      path: `${at}.wake.via`,
      message: 'expected the name of another remote server, found "nas"',
    },
    {
      it: 'has no broadcast address without a hardware address',
      file: wake('command = "x", broadcast = "192.0.2.255"'),
      path: `${at}.wake.broadcast`,
      message: 'has no effect here: it belongs to a wake-up by mac',
    },
    {
      it: 'uses no other server when the daemon sends the packet',
      file: wake('mac = "00:00:5e:00:53:01", via = "other"'),
      path: `${at}.wake.via`,
      message: 'has no effect here: it belongs to a wake-up by command',
    },
  ]);

  it('accepts a hardware address, or a command through another server', () => {
    const other =
      '[[ups.remote_servers]]\nname = "two"\nhost = "192.0.2.2"\nuser = "root"\n' +
      'wake = { command = "wake two", via = "nas" }\nboot_check = "tcp:443"';
    const text = `${wake('mac = "00:00:5e:00:53:01", port = 7')}\n${other}`;
    expect(configurationFrom(text).notActive).to.deep.equal([]);
  });
});
