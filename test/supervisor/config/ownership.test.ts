import { expect } from 'chai';
import {
  configurationFrom,
  office,
  problemsOf,
  refuses,
  warningsFrom,
  withGroup,
  withServer,
} from './loading.js';

const local = `${office}is_local = true\n`;
const second = '[[ups]]\nname = "second@nut1"\n';
const noEffect =
  'has no effect here: virtual machines, containers and file systems of this machine belong to the one UPS ' +
  'or group with is_local = true';

describe('the power source of this machine', () => {
  refuses([
    {
      it: 'is one UPS at most',
      file: `${local}${second}is_local = true`,
      path: 'ups[second@nut1].is_local',
      message: '"office@127.0.0.1:3493" already powers this machine; only one may have is_local = true',
    },
    {
      it: 'is a UPS or a group, not both',
      file: withGroup.replace('3493"\n', '3493"\nis_local = true\n') + 'is_local = true',
      path: 'redundancy_groups[rack-1].is_local',
      message: '"office@127.0.0.1:3493" already powers this machine; only one may have is_local = true',
    },
    {
      it: 'alone owns virtual machines',
      file: `${office}[ups.virtual_machines]\nenabled = true`,
      path: 'ups[office@127.0.0.1:3493].virtual_machines.enabled',
      message: noEffect,
    },
    {
      it: 'alone owns containers',
      file: `${local}${second}[ups.containers]\ncompose_files = ["/a.yaml"]`,
      path: 'ups[second@nut1].containers.compose_files',
      message: noEffect,
    },
    {
      it: 'alone owns mounts, also those of a group that does not power this machine',
      file: `${withGroup}[redundancy_groups.filesystems.unmount]\nmounts = ["/mnt/a"]`,
      path: 'redundancy_groups[rack-1].filesystems.unmount.mounts',
      message: noEffect,
    },
    {
      it: 'shuts it down, so that trigger_on = "none" has no effect',
      file: `${local}[local_shutdown]\ntrigger_on = "none"`,
      path: 'local_shutdown.trigger_on',
      message:
        'has no effect: "office@127.0.0.1:3493" powers this machine (is_local = true) and shuts it down; ' +
        'to keep the machine up, set local_shutdown.enabled = false',
    },
    {
      it: 'has the host delegate among its servers',
      file: withServer.replace('is_local = true\n', '') + 'host_delegate = true',
      path: 'ups[office@127.0.0.1:3493].remote_servers[nas].host_delegate',
      message: 'has no effect here: the host delegate belongs to the UPS or group with is_local = true',
    },
    {
      it: 'has one host delegate',
      file:
        `${withServer}host_delegate = true\n[[ups.remote_servers]]\nname = "two"\nhost = "192.0.2.2"\n` +
        'user = "root"\nhost_delegate = true',
      path: 'ups[office@127.0.0.1:3493].remote_servers[two].host_delegate',
      message:
        'ups[office@127.0.0.1:3493].remote_servers[nas] is already the host delegate; there is only one',
    },
    {
      it: 'has a host delegate that is powered off at the end, without an order',
      file: `${withServer}host_delegate = true\nshutdown_order = 9`,
      path: 'ups[office@127.0.0.1:3493].remote_servers[nas].shutdown_order',
      message: 'has no effect here: the host delegate is powered off at the very end, after all servers',
    },
    {
      it: 'has a host delegate that is powered off at the end, never with the local phases',
      file: `${withServer}host_delegate = true\nwhen = "with_local"`,
      path: 'ups[office@127.0.0.1:3493].remote_servers[nas].when',
      message: 'has no effect here: the host delegate is powered off at the very end, after all servers',
    },
  ]);

  it('warns where a server that begins with the sequence waits for one that does not', () => {
    const second = '[[ups.remote_servers]]\nname = "two"\nhost = "192.0.2.2"\nuser = "root"\n';
    const late = `${second}when = "with_local"\nshutdown_order = 2\n`;
    expect(warningsFrom(`${withServer}${late}`)).to.deep.equal([
      'ups[office@127.0.0.1:3493].remote_servers[two].when: has no effect: with shutdown_order = 2 this server waits ' +
        'for "nas" (1), which goes down after the local phases; give it shutdown_order = 1 or lower, or give "nas" ' +
        'when = "with_local" too',
    ]);
    expect(warningsFrom(`${withServer}${late.replace('= 2', '= 1')}`)).to.deep.equal([]);
    expect(warningsFrom(`${withServer}when = "with_local"\n${late}`)).to.deep.equal([]);
    expect(warningsFrom(`${withServer}enabled = false\n${late}`)).to.deep.equal([]);
  });

  it('has one command for its host delegate, and a warning names the used one of two', () => {
    const delegate = `${withServer}host_delegate = true\nshutdown_order = 1\nwhen = "after_local"\n`;
    const own = `${delegate}shutdown_command = "poweroff"\n`;
    const both = '[local_shutdown]\ncommand = ["shutdown", "-P", "now"]\nmessage = "Going down"\n';
    const why =
      'has no effect in a container: there ups[office@127.0.0.1:3493].remote_servers[nas].shutdown_command ' +
      'powers the host off, as it is written; remove one of the two';
    expect(warningsFrom(`${own}${both}`)).to.deep.equal([
      `local_shutdown.command: ${why}`,
      `local_shutdown.message: ${why}`,
    ]);
    // The message is used by wall.
    expect(warningsFrom(`${own}${both}wall = true\n`)).to.deep.equal([`local_shutdown.command: ${why}`]);
    // The message is used by the fallback, which is a shutdown.
    const fallback = 'fallback_command = "shutdown -P now"\n';
    expect(warningsFrom(`${own}${both}${fallback}`)).to.deep.equal([`local_shutdown.command: ${why}`]);
    expect(warningsFrom(`${own}enabled = false\n${both}`)).to.deep.equal([]);
    for (const text of [own, `${delegate}${both}`, `${own}[local_shutdown]\ncommand = "shutdown -h now"\n`])
      expect(warningsFrom(text)).to.deep.equal([]);
  });

  it('has the configured virtual machines, containers and mounts', () => {
    const text =
      `${local}[ups.virtual_machines]\nenabled = true\nuri = "qemu:///system"\n` +
      '[ups.containers]\nenabled = true\nstop_timeout = 20\n' +
      'compose_files = ["/a.yaml", { path = "/b.yaml", stop_timeout = 90 }]\n' +
      '[ups.filesystems.unmount]\nenabled = true\nmounts = ["/mnt/a", { path = "/mnt/b", options = "-l" }]';
    const { resources } = configurationFrom(text).ups[0] ?? {};
    expect(resources?.virtualMachines).to.deep.equal({
      enabled: true,
      maxWaitSeconds: 30,
      uri: 'qemu:///system',
    });
    expect(resources?.containers.composeFiles).to.deep.equal([
      { path: '/a.yaml', stopTimeoutSeconds: 20 },
      { path: '/b.yaml', stopTimeoutSeconds: 90 },
    ]);
    expect(resources?.filesystems.unmount.mounts).to.deep.equal([
      { path: '/mnt/a', options: '' },
      { path: '/mnt/b', options: '-l' },
    ]);
  });

  it('accepts resources at their defaults in any table', () => {
    const text = `${office}[ups.virtual_machines]\nenabled = false\nmax_wait = 30\n[local_shutdown]\ntrigger_on = "any"`;
    expect(configurationFrom(text).localShutdown.triggerOn).to.equal('any');
  });
});

describe('misplaced keys', () => {
  for (const section of ['virtual_machines', 'containers', 'filesystems']) {
    it(`are refused with the right place for ${section}`, () => {
      const [problem] = problemsOf(`${office}[${section}]\nenabled = true`);
      expect(problem?.path).to.equal(section);
      expect(problem?.message).to.include(`write [ups.${section}] below that [[ups]]`);
    });
  }

  it('are refused with the right place for remote servers', () => {
    const [problem] = problemsOf(`${office}[[remote_servers]]\nname = "a"`);
    expect(problem?.message).to.include('write [[ups.remote_servers]]');
  });

  it('are refused when a UPS is not in a list', () => {
    expect(problemsOf('[ups]\nname = "a"')).to.deep.equal([
      { path: 'ups', message: 'expected a list of tables, found a table; write [[ups]] for each' },
    ]);
  });

  it('are refused when a section is given twice', () => {
    expect(problemsOf(`${office}[[triggers]]\nconfirmations = 2`)).to.deep.equal([
      { path: 'triggers', message: 'expected a table, found a list; write [triggers] with single brackets' },
    ]);
  });
});
