import { expect } from 'chai';
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import { BatteryAssessments } from '../../../supervisor/read-model/battery-assessments.js';
import { assessedBattery } from '../../fixtures/assessed-battery.js';
import { configurationFrom, office } from '../config/loading.js';

const groupId = 'office-127.0.0.1-3493';
class Room {
  readonly events: RecordedEvent[] = [];
  readonly assessments: BatteryAssessments;

  constructor(toml = office) {
    const configuration = configurationFrom(toml);
    this.assessments = new BatteryAssessments(
      () => configuration,
      (event) => void this.events.push(event),
    );
  }

  assess(score: number, ...due: ('BATTERY_HEALTH_WARNING' | 'BATTERY_REPLACEMENT_PREDICTED')[]): this {
    this.assessments.assessed([{ groupId, health: { ...assessedBattery, score }, due }]);
    return this;
  }
}

describe('the assessments of the batteries in the supervisor', () => {
  it('records a due event once, however often storage names it', () => {
    const room = new Room().assess(29, 'BATTERY_HEALTH_WARNING').assess(29, 'BATTERY_HEALTH_WARNING');
    expect(room.events).to.deep.equal([
      {
        source: groupId,
        type: 'BATTERY_HEALTH_WARNING',
        detail: 'score 29 of 100 (confidence 70 %); capacity: 80 % of its capacity; runtime: 96 % when full',
      },
    ]);
    room.assess(40).assess(29, 'BATTERY_HEALTH_WARNING');
    expect(room.events.length).to.equal(2);
  });

  it('names the date with its band', () => {
    const [event] = new Room().assess(66, 'BATTERY_REPLACEMENT_PREDICTED').events;
    expect(event?.detail).to.equal(
      'about 2027-03-13, between 2027-02-24 and 2027-04-03; score 66 of 100 (confidence 70 %)',
    );
  });

  it('calls a battery critical below the configured score', () => {
    const { assessments } = new Room(`${office}[battery_health]\ncritical_score = 20\n`).assess(19.9);
    expect(assessments.isCritical(groupId)).to.equal(true);
    expect(
      new Room(`${office}[battery_health]\ncritical_score = 20\n`).assess(20).assessments.isCritical(groupId),
    ).to.equal(false);
    expect(new Room().assessments.isCritical(groupId)).to.equal(false);
  });

  for (const off of [
    `${office}[battery_health]\nenabled = false\n`,
    `${office}[statistics]\nenabled = false\n`,
    `${office}[ups.battery_health]\nenabled = false\n`,
  ])
    it(`knows nothing of a battery that is not assessed: ${off.split('\n').slice(-3).join(' ')}`, () => {
      const { assessments, events } = new Room(off).assess(10, 'BATTERY_HEALTH_WARNING');
      expect([assessments.of(groupId), assessments.isCritical(groupId), events]).to.deep.equal([
        null,
        false,
        [],
      ]);
    });
});
