import { expect } from 'chai';
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import type { OpenAlarm } from '../../../supervisor/notifications/open-alarms.js';
import { openAlarms } from '../../../supervisor/notifications/open-alarms.js';
import type { RepeatingService } from '../../../supervisor/notifications/reminders.js';
import { Reminders } from '../../../supervisor/notifications/reminders.js';
import type { PollOutcome } from '../../../supervisor/policy/base/inputs.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { row } from '../../workers/api/fixture.js';
import { reading, settingsOf, Stepper } from '../policy/stream.js';

const overload: OpenAlarm = {
  type: 'OVERLOAD_ACTIVE',
  source: 'office',
  subject: 'office',
  text: 'Office is still overloaded (120 %)',
  seconds: null,
};
const service = { id: 's', repeatMs: 600_000 };

class Bench {
  readonly time = new FakeTime();
  readonly sent: string[] = [];
  open: readonly OpenAlarm[] = [];
  undelivered = false;
  readonly reminders = new Reminders({
    clock: this.time,
    open: () => this.open,
    post: (_alarm, text) => {
      this.sent.push(text.replaceAll('\u00a0', ' '));
      return `m${String(this.sent.length)}`;
    },
    isOpen: () => this.undelivered,
  });

  pass(seconds: number, services: readonly RepeatingService[] = [service]): void {
    for (let second = 0; second < seconds; second += 1) {
      this.time.advance(1000);
      this.reminders.tick(() => services);
    }
  }
}

describe('the reminders of a service', () => {
  it('repeat what stays open, and end with it', () => {
    const bench = new Bench();
    bench.open = [overload];
    bench.pass(1201);
    expect(bench.sent).to.deep.equal([
      'Office is still overloaded (120 %), for 10 min so far.',
      'Office is still overloaded (120 %), for 20 min so far.',
    ]);
    bench.open = [];
    bench.pass(3600);
    expect(bench.sent).to.have.length(2);
    bench.open = [overload];
    bench.pass(599);
    expect(bench.sent).to.have.length(2);
  });

  it('are not heaped up for a service that is down', () => {
    const bench = new Bench();
    bench.open = [overload];
    bench.undelivered = true;
    bench.pass(3600);
    expect(bench.sent).to.have.length(1);
    bench.undelivered = false;
    bench.pass(1);
    expect(bench.sent).to.have.length(2);
  });

  it('go to no service that does not want the alarm', () => {
    const bench = new Bench();
    bench.open = [overload];
    bench.pass(3600, []);
    expect(bench.sent).to.deep.equal([]);
  });

  it('say what was last seen of a UPS that cannot be read, and what a failed probe means', () => {
    const lost = row({ connectionState: 'FAILED', timeOnBattery: 900, batteryCharge: 45 });
    const stepper = new Stepper(settingsOf('ups office\n'));
    const ups = stepper.state.ups.map((one) => ({ ...one, row: lost }));
    const server: RemoteHealthRow = {
      server: 'nas2',
      host: 'nas2',
      user: 'root',
      group: 'office',
      groupKind: 'ups',
      status: 'FAILED',
      lastCheckedAt: 1,
      lastSuccessAt: null,
      lastError: 'refused',
      latencyMs: null,
      consecutiveFailures: 2,
    };
    expect(
      openAlarms({ ups, groups: [] }, [server]).map(({ text }) => text.replaceAll('\u00a0', ' ')),
    ).to.deep.equal([
      'Office is still on battery as far as is known (its last charge was 45 %)',
      'Office still cannot be read',
      'the server nas2 still fails its probe, so a shutdown may not reach it (refused)',
    ]);
  });

  it('know a UPS on battery by the state of policy', () => {
    const stepper = new Stepper(settingsOf('ups office\n'));
    const types = (): string[] =>
      openAlarms(stepper.state, []).map(({ type, seconds }) => `${type} ${String(seconds)}`);
    stepper.polls('office', reading('OL', { chargePercent: 100 }), 5);
    expect(types()).to.deep.equal([]);
    stepper.polls('office', reading('OB DISCHRG OVER', { chargePercent: 90, loadPercent: 120 }), 90);
    expect(types()).to.deep.equal(['ON_BATTERY 89', 'OVERLOAD_ACTIVE null']);
    stepper.polls('office', reading('OL OFF RB ALARM', { chargePercent: 90 }), 5);
    expect(types()).to.deep.equal(['BATTERY_REPLACE null', 'UPS_OFF null', 'UPS_ALARM null']);
    stepper.polls('office', reading('OL', { chargePercent: 90 }), 5);
    expect(types()).to.deep.equal([]);
  });

  it('say the voltage that was judged: of three phases the lowest or the highest', () => {
    const stepper = new Stepper(settingsOf('ups office\n'));
    const after = (volts: number, ofPhases: readonly number[]): string | undefined => {
      const variables: Record<string, string> = { 'input.voltage': String(volts) };
      for (const [place, each] of ofPhases.entries())
        variables[`input.L${String(place + 1)}-N.voltage`] = String(each);
      const outcome = reading('OL', { inputVolts: volts, nominalVolts: 230 });
      stepper.polls('office', { ...outcome, variables } as PollOutcome, 90);
      return openAlarms(stepper.state, [])[0]?.text.replaceAll('\u00a0', ' ');
    };
    expect(after(231, [231, 229, 230])).to.equal(undefined);
    expect(after(231, [231, 190, 230])).to.equal('office still has low input voltage (190 V (L2-N))');
    expect(after(231, [231, 229, 262])).to.equal('office still has high input voltage (262 V (L3-N))');
    expect(after(191, [])).to.equal('office still has low input voltage (191 V)');
  });
});
