import { expect } from 'chai';
import { configurationFrom, office, refuses, warningsFrom, withGroup } from './loading.js';

describe('rules within a section', () => {
  refuses([
    {
      it: 'keep the critical score below the warning score',
      file: `${office}[battery_health]\ncritical_score = 40`,
      path: 'battery_health.critical_score',
      message: 'expected less than warn_score (30), found 40',
    },
    {
      it: 'name the configured key, never one at its default',
      file: `${office}[ups.battery_health]\nwarn_score = 10`,
      path: 'ups[office@127.0.0.1:3493].battery_health.warn_score',
      message: 'expected more than critical_score (15) or 0, found 10',
    },
    {
      it: 'accept the rating of a UPS only once',
      file: `${office}nominal_power = 900\n[ups.energy]\nnominal_power = 800`,
      path: 'ups[office@127.0.0.1:3493].nominal_power',
      message: 'given twice; [ups.energy] nominal_power is the same key',
    },
    {
      it: 'accept the credentials of a broker only once',
      file: `${office}[mqtt]\nbroker = "mqtt://user:hidden@192.0.2.1"\nusername = "user"`,
      path: 'mqtt.broker',
      message: 'user and password are given in the URL and in username/password; keep one of the two',
    },
  ]);
});

describe('warnings about a section', () => {
  it('are given for confirmations that take too long', () => {
    const text = `${office}check_interval = 4\n[triggers]\nconfirmations = 4`;
    expect(warningsFrom(text)).to.deep.equal([
      'ups[office@127.0.0.1:3493]: confirmations x check_interval is 4 x 4 s = 16 s; ' +
        'a shutdown is decided that much later (at most 15 s is advised)',
    ]);
  });

  it('are given for confirmations that take too long in a redundancy group, by its slowest member', () => {
    const later = 'a shutdown is decided that much later (at most 15 s is advised)';
    const own = `${withGroup}[redundancy_groups.triggers]\nconfirmations = 60`;
    expect(warningsFrom(own)).to.deep.equal([
      'redundancy_groups[rack-1]: confirmations x check_interval is 60 x 1 s = 60 s ' +
        `with its slowest member, rack-a@nut1; ${later}`,
    ]);
    const slow = withGroup.replace('"rack-b@nut1"\n', '"rack-b@nut1"\ncheck_interval = 6\n');
    const few = (confirmations: number) =>
      `${slow}[redundancy_groups.triggers]\nconfirmations = ${String(confirmations)}`;
    expect(warningsFrom(few(3))).to.deep.equal([
      'redundancy_groups[rack-1]: confirmations x check_interval is 3 x 6 s = 18 s ' +
        `with its slowest member, rack-b@nut1; ${later}`,
    ]);
    expect(warningsFrom(few(2))).to.deep.equal([]);
  });

  it('are not given for confirmations of 15 s', () => {
    const text = `${office}check_interval = 5\n[triggers]\nconfirmations = 3`;
    expect(warningsFrom(text)).to.deep.equal([]);
  });

  it('are given for the password of a broker without a user name', () => {
    const nameless = 'is not sent: MQTT allows no password without a user name; give mqtt.username too';
    expect(warningsFrom(`${office}[mqtt]\nenabled = true\npassword = { env = "HOME" }`)).to.deep.equal([
      `mqtt.password: ${nameless}`,
    ]);
    const inUrl = `${office}[mqtt]\nenabled = true\nbroker = "mqtts://:of-nobody@192.0.2.1"`;
    expect(warningsFrom(inUrl)).to.include(`mqtt.broker: its password ${nameless}`);
  });

  it('are given for a password in plain text, except to this machine', () => {
    const mqtt = (broker: string) =>
      `${office}[mqtt]\nenabled = true\nbroker = "${broker}"\nusername = "u"\npassword = { env = "HOME" }`;
    expect(warningsFrom(mqtt('mqtt://broker.example'))).to.deep.equal([
      'mqtt.broker: user name and password are sent unencrypted; use mqtts://',
    ]);
    for (const broker of ['mqtts://broker.example', 'mqtt://127.0.0.1', 'mqtt://localhost:1', 'mqtt://[::1]'])
      expect(warningsFrom(mqtt(broker)), broker).to.deep.equal([]);
  });

  it('are given for a message that no program shows', () => {
    const text = `${office}[local_shutdown]\ncommand = "systemctl poweroff"\nmessage = "bye"`;
    expect(warningsFrom(text)).to.deep.equal([
      'local_shutdown.message: is not shown: only a program named shutdown is given the message, ' +
        'and this one is named systemctl',
    ]);
  });

  it('are given for a final command that shutdown reads otherwise', () => {
    const server = (line: string) =>
      `[[ups.remote_servers]]\nname = "nas"\nhost = "nas.test"\nuser = "root"\nshutdown_command = '${line}'\n`;
    const noTime = 'gives shutdown no time, which it needs before a message; the daemon runs:';
    const withoutTime = 'gives shutdown no time: most systems then wait a minute or refuse it';
    for (const [key, line, message] of [
      ['command', 'shutdown -h', `${noTime} shutdown -h now`],
      ['fallback_command', 'sudo -n /sbin/shutdown -P', `${noTime} sudo -n /sbin/shutdown -P now`],
      ['command', "sh -c 'sync; /sbin/shutdown -h'", withoutTime],
      ['command', "su root -c 'shutdown -h'", withoutTime],
      ['command', "env -S 'shutdown -h'", withoutTime],
      ['command', 'chroot /host shutdown -h', `${noTime} chroot /host shutdown -h now`],
      [
        'command',
        'sudo shutdown -h +60',
        'ends at once with exit code 0, which counts as a power-off, and the machine stays up on battery for 60 min; write now in place of +60',
      ],
      [
        'command',
        'shutdown -r now',
        'with -r shutdown restarts the machine and does not power it off; this command has to power it off',
      ],
    ] as const)
      expect(warningsFrom(`${office}[local_shutdown]\n${key} = "${line}"\nmessage = ""`)).to.deep.equal([
        `local_shutdown.${key}: ${message}`,
      ]);
    expect(warningsFrom(`${office}${server('sudo shutdown -h')}`).join()).to.match(
      /remote_servers\[nas\]\.shutdown_command: gives shutdown no time: .*; write: sudo shutdown -h now$/,
    );
    for (const [line, message] of [
      ['sync && shutdown -h "power lost"', withoutTime],
      [
        'shutdown -h 23:15',
        'ends at once with exit code 0, which counts as a power-off, and the machine stays up on battery until 23:15; write now in place of 23:15',
      ],
      ['true', 'true does not power the machine off; this command has to power it off'],
      [
        'sync; sudo reboot',
        'reboot restarts the machine and does not power it off; this command has to power it off',
      ],
    ] as const)
      expect(warningsFrom(`${office}${server(line)}`), line).to.deep.equal([
        `ups[office@127.0.0.1:3493].remote_servers[nas].shutdown_command: ${message}`,
      ]);
    for (const [line, message] of [
      ['shutdown -h now', 'powers the machine off; this command has to restart it'],
      [
        'systemctl suspend',
        'systemctl suspend does not power the machine off; this command has to restart it',
      ],
    ] as const) {
      expect(warningsFrom(`${office}[local_shutdown]\nrestart_command = "${line}"`)).to.deep.equal([
        `local_shutdown.restart_command: ${message}`,
      ]);
      const host = `${server('poweroff')}host_delegate = true\nrestart_command = "${line}"\n`;
      expect(warningsFrom(`${office}is_local = true\n${host}`).join('\n')).to.include(
        `remote_servers[nas].restart_command: ${message}`,
      );
    }
    for (const line of ['shutdown -r now', 'systemctl reboot', 'sudo -n reboot', '/opt/own/restart'])
      expect(warningsFrom(`${office}[local_shutdown]\nrestart_command = "${line}"`), line).to.deep.equal([]);
    expect(
      warningsFrom(`${office}${server('poweroff')}restart_command = "sudo shutdown -r"\n`),
    ).to.deep.equal(
      [withoutTime, 'has no effect without host_delegate = true'].map(
        (message) => `ups[office@127.0.0.1:3493].remote_servers[nas].restart_command: ${message}`,
      ),
    );
    for (const line of ['sudo -n shutdown -h now', 'shutdown /s /t 0', 'shutdown -s -t 0', 'poweroff'])
      expect(warningsFrom(`${office}${server(line)}`), line).to.deep.equal([]);
  });
});

describe('features that are not part of this version', () => {
  it('cause no warning when the file does not configure them', () => {
    expect(configurationFrom(office).notActive).to.deep.equal([]);
    expect(configurationFrom(`${office}[battery_health]\nwarn_score = 40`).notActive).to.deep.equal([]);
    expect(configurationFrom(`${office}[mqtt]\nenabled = false`).notActive).to.deep.equal([]);
    expect(configurationFrom(`${office}[statistics]\nenabled = false`).notActive).to.deep.equal([]);
  });

  for (const [section, text] of [['recovery', `${office}[recovery]\nenabled = true`]] as const) {
    it(`cause a warning when the file configures ${section}`, () => {
      const { notActive } = configurationFrom(text);
      expect(notActive.length).to.equal(1);
      expect(notActive[0]?.startsWith(`${section}: `)).to.equal(true);
      expect(notActive[0]).to.match(/who was up is recorded, but this version starts no server/);
    });
  }
});
