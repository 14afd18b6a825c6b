import { expect } from 'chai';
import { configurationFrom, problemsOf, rack, refuses, warningsFrom, withGroup } from './loading.js';

const group = (name: string, sources: readonly string[], more = ''): string =>
  `[[redundancy_groups]]\nname = "${name}"\nups_sources = ${JSON.stringify(sources)}\n${more}`;
/** rack-a with these keys, and rack-1 of it and rack-b. */
const member = (more: string): string =>
  rack.replace('name = "rack-a@nut1"\n', `name = "rack-a@nut1"\n${more}\n`) +
  group('rack-1', ['rack-a@nut1', 'rack-b@nut1']);
const switchServer = '[[ups.remote_servers]]\nname = "switch"\nhost = "192.0.2.9"\nuser = "root"';

describe('a redundancy group', () => {
  refuses([
    {
      it: 'names only configured UPSes, with the nearest name as a hint',
      file: rack + group('rack-1', ['rack-a@nut1', 'rack-b@nut2']),
      path: 'redundancy_groups[rack-1].ups_sources',
      message: 'there is no [[ups]] named "rack-b@nut2"; did you mean "rack-b@nut1"?',
    },
    {
      it: 'has at least one member',
      file: rack + group('rack-1', []),
      path: 'redundancy_groups[rack-1].ups_sources',
      message: 'expected at least one UPS, found none',
    },
    {
      it: 'counts a UPS once, whatever its spelling',
      file: rack + group('rack-1', ['rack-a@nut1', 'rack-a@NUT1:3493', 'rack-b@nut1']),
      path: 'redundancy_groups[rack-1].ups_sources',
      message: '"rack-a@nut1" is listed twice; one UPS is one member',
    },
    {
      it: 'has a quorum that can be met',
      file: `${withGroup}min_healthy = 3`,
      path: 'redundancy_groups[rack-1].min_healthy',
      message: '3 healthy members of 2 are impossible: the quorum would be lost from the start',
    },
    {
      it: 'has a quorum that can be lost',
      file: `${withGroup}min_healthy = 0`,
      path: 'redundancy_groups[rack-1].min_healthy',
      message: 'expected a whole number from 1 to 100, found 0',
    },
  ]);

  it('does not report an unknown source when the UPS could not be decoded', () => {
    const text = '[[ups]]\ncheck_interval = 1\n[[ups]]\nname = "b"\n' + group('rack-1', ['a', 'b']);
    expect(problemsOf(text).map(({ path }) => path)).to.deep.equal(['ups[0].name']);
  });

  it('makes a member advisory that owns nothing', () => {
    const advisory = (text: string) => configurationFrom(text).ups.map(({ policy }) => policy.advisory);
    expect(advisory(withGroup)).to.deep.equal([false, true, true]);
    expect(advisory(member('is_local = true'))).to.deep.equal([false, false, true]);
    expect(advisory(member(switchServer))).to.deep.equal([false, false, true]);
    expect(advisory(member(`${switchServer}\nenabled = false`))).to.deep.equal([false, true, true]);
  });

  it('shares members with others, and may have a single one', () => {
    const text =
      withGroup + group('rack-2', ['office@127.0.0.1:3493', 'rack-b@nut1']) + group('one', ['rack-b@nut1']);
    const { ups, redundancyGroups } = configurationFrom(text);
    expect(ups.map(({ policy }) => policy.groups)).to.deep.equal([
      ['rack-2'],
      ['rack-1'],
      ['rack-1', 'rack-2', 'one'],
    ]);
    expect(redundancyGroups[2]?.policy.members).to.deep.equal(['rack-b-nut1']);
  });

  it('warns of thresholds that only its members have, and names where they take effect', () => {
    const text = `${withGroup}[redundancy_groups.triggers]\nfailsafe_delay = 30\nvoltage_sensitivity = "tight"\n[redundancy_groups.triggers.depletion]\nwindow = 60\n`;
    const path = 'redundancy_groups[rack-1].triggers';
    expect(warningsFrom(text)).to.include.members([
      `${path}.failsafe_delay: has no effect here: the failsafe is that of each member; set failsafe_delay in [triggers] or [ups.triggers] of its members`,
      `${path}.voltage_sensitivity: has no effect here: the voltage is judged per UPS; set voltage_sensitivity in [triggers] or [ups.triggers] of its members`,
      `${path}.depletion.window: has no effect here: the rate is measured per UPS; set window in [triggers.depletion] or [ups.triggers.depletion] of its members`,
    ]);
    const defaults = `${withGroup}[redundancy_groups.triggers]\nfailsafe_delay = 15\nlow_battery_threshold = 30\n`;
    expect(warningsFrom(defaults).filter((warning) => warning.includes('no effect'))).to.deep.equal([]);
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
