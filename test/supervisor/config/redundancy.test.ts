import { expect } from 'chai';
import { configurationFrom, problemsOf, rack, refuses, withGroup } from './loading.js';

const group = (name: string, sources: readonly string[], more = ''): string =>
  `[[redundancy_groups]]\nname = "${name}"\nups_sources = ${JSON.stringify(sources)}\n${more}`;
const member = (more: string): string =>
  rack.replace('name = "rack-a@nut1"\n', `name = "rack-a@nut1"\n${more}\n`) +
  group('rack-1', ['rack-a@nut1', 'rack-b@nut1']);
const advice =
  'it is a member of the redundancy group "rack-1" and starts no shutdown of its own; move this to the group';

describe('a redundancy group', () => {
  refuses([
    {
      it: 'names only configured UPSes, with the nearest name as a hint',
      file: rack + group('rack-1', ['rack-a@nut1', 'rack-b@nut2']),
      path: 'redundancy_groups[rack-1].ups_sources',
      message: 'there is no [[ups]] named "rack-b@nut2"; did you mean "rack-b@nut1"?',
    },
    {
      it: 'has at least two members',
      file: rack + group('rack-1', ['rack-a@nut1']),
      path: 'redundancy_groups[rack-1].ups_sources',
      message: 'expected two or more UPSes, found 1',
    },
    {
      it: 'counts a UPS once, whatever its spelling',
      file: rack + group('rack-1', ['rack-a@nut1', 'rack-a@NUT1:3493', 'rack-b@nut1']),
      path: 'redundancy_groups[rack-1].ups_sources',
      message: '"rack-a@nut1" is listed twice; one UPS is one member',
    },
    {
      it: 'shares no member with another',
      file:
        rack +
        group('rack-1', ['rack-a@nut1', 'rack-b@nut1']) +
        group('rack-2', ['office@127.0.0.1:3493', 'rack-b@nut1']),
      path: 'redundancy_groups[rack-2].ups_sources',
      message: '"rack-b@nut1" is already in "rack-1"; a UPS belongs to one redundancy group',
    },
    {
      it: 'has a quorum that can be met',
      file: `${withGroup}min_healthy = 3`,
      path: 'redundancy_groups[rack-1].min_healthy',
      message: '3 healthy members of 2 can never be met: the group would count as lost from the start',
    },
    {
      it: 'has a quorum that can be lost',
      file: `${withGroup}min_healthy = 0`,
      path: 'redundancy_groups[rack-1].min_healthy',
      message: 'expected a whole number from 1 to 100, found 0',
    },
    {
      it: 'has no window of its own for the rate of depletion',
      file: `${withGroup}[redundancy_groups.triggers.depletion]\nwindow = 60`,
      path: 'redundancy_groups[rack-1].triggers.depletion.window',
      message:
        'has no effect here: the rate is measured per UPS; set it in [triggers.depletion] or below the UPS',
    },
    {
      it: 'powers this machine, not its members',
      file: member('is_local = true'),
      path: 'ups[rack-a@nut1].is_local',
      message: advice,
    },
    {
      it: 'owns the servers, not its members',
      file: member('[[ups.remote_servers]]\nname = "nas"\nhost = "192.0.2.9"\nuser = "root"'),
      path: 'ups[rack-a@nut1].remote_servers',
      message: advice,
    },
    {
      it: 'owns the local resources, not its members',
      file: member('[ups.filesystems.unmount]\nenabled = true'),
      path: 'ups[rack-a@nut1].filesystems.unmount.enabled',
      message: advice,
    },
  ]);

  it('does not report an unknown source when the UPS could not be decoded', () => {
    const text = '[[ups]]\ncheck_interval = 1\n[[ups]]\nname = "b"\n' + group('rack-1', ['a', 'b']);
    expect(problemsOf(text).map(({ path }) => path)).to.deep.equal(['ups[0].name']);
  });

  it('makes only its members advisory', () => {
    const { ups } = configurationFrom(withGroup);
    expect(ups.map(({ policy }) => policy.advisory)).to.deep.equal([false, true, true]);
  });

  it('takes its thresholds from its own keys, then from [triggers], and the window only from [triggers]', () => {
    const text =
      `${withGroup}[redundancy_groups.triggers]\nlow_battery_threshold = 33\n` +
      '[triggers]\nlow_battery_threshold = 44\nconfirmations = 5\n[triggers.depletion]\nwindow = 120';
    const triggers = configurationFrom(text).redundancyGroups[0]?.policy.triggers;
    expect(triggers?.lowBatteryPercent).to.equal(33);
    expect(triggers?.confirmations).to.equal(5);
    expect(triggers?.depletion.windowMs).to.equal(120_000);
  });

  it('accepts members and keys at their defaults', () => {
    const text = member('is_local = false\nremote_servers = []\n[ups.containers]\nenabled = false');
    expect(configurationFrom(text).redundancyGroups.length).to.equal(1);
  });
});
