import { expect } from 'chai';
import { eventTypes, isSent } from '../../../shared/domain/status/events.js';
import { powerdownFlagStep } from '../../../supervisor/policy/plan/power-steps.js';
import { policyEvents } from '../../../supervisor/policy/view/events.js';
import { messageFor } from '../../../supervisor/events/messages.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { good, Machine, refused } from '../remote-health/machine.js';
import { rig } from '../sequence/several.js';

describe('the messages of events', () => {
  const probes = new Machine({ failureThreshold: 1 });
  for (const finding of [refused, good]) probes.next(finding);
  /** Each place that words messages, with the types of its own. */
  const places: Readonly<Record<string, readonly string[]>> = {
    'policy/view': Object.entries(policyEvents).flatMap(([type, words]) => ('text' in words ? [type] : [])),
    'remote-health': probes.outputLines.flatMap((line) => /^message (.*)/.exec(line)?.[1] ?? []),
    'events/messages.ts': eventTypes.filter(
      (type) => messageFor({ source: 'office', type, detail: '' }, '') !== undefined,
    ),
  };

  it('are worded in one place for each type that is sent, and in none for the others', () => {
    const found = eventTypes.map((type) => {
      const wording = Object.keys(places).filter((place) => places[place]?.includes(type));
      return { type, wording, isRight: wording.length === (isSent(type) ? 1 : 0) };
    });
    expect(found.filter(({ isRight }) => !isRight)).to.deep.equal([]);
  });
});

describe('the message of a cancelled shutdown', () => {
  const wall = planStep('wall', { destructive: false, action: { kind: 'wall', message: 'low' } });
  const messageAfter = (cancel: (sequences: ReturnType<typeof rig>['sequences']) => unknown): string => {
    const { start, sequences, events } = rig([planWith([planPhase('local_poweroff', [wall])])]);
    start('office');
    cancel(sequences);
    const [, detail = ''] = / SHUTDOWN_CANCELLED (.*)/.exec(events.at(-1) ?? '') ?? [];
    return messageFor({ source: 'office', type: 'SHUTDOWN_CANCELLED', detail }, 'Office') ?? '';
  };

  it('says what a cancellation by a person means while the power is out', () => {
    expect(messageAfter((sequences) => sequences.cancel('user:alice'))).to.equal(
      'A shutdown was cancelled before anything was shut down: office: cancelled by user:alice. No other ' +
        'shutdown starts in this outage: shut the machines down yourself, or they run until the battery is empty.',
    );
  });

  it('asks for nothing when the power is back', () => {
    expect(messageAfter((sequences) => sequences.powerReturned('office'))).to.equal(
      'A shutdown was cancelled before anything was shut down: office: power is back. Nothing needs to be done.',
    );
  });
});

describe('the message of a shutdown that goes on', () => {
  it('names what it shuts down, and both reasons for a break', () => {
    const event = {
      source: 'office',
      type: 'SHUTDOWN_RESUMED',
      detail: 'FSD: set; 1 of 3 steps had ended',
    } as const;
    expect(messageFor(event, 'Office')).to.equal(
      'The shutdown of Office continues, after a restart of the daemon or a bug of it: FSD: set; 1 of 3 steps had ended. Nothing needs to be done.',
    );
  });
});

describe('the message of a failed step of a shutdown', () => {
  const machine = 'Shut that machine down yourself if you can.';
  const output = 'The UPS keeps its output on: when power is back, machines may not start by themselves.';
  for (const [detail, remedy] of [
    ['remote_servers/nas (nas): timeout', machine],
    ['power-off of this host: exit status 1', machine],
    ['virtual_machines/guests (this host): timeout', 'Stop what still runs there yourself if you can.'],
    [
      'filesystem_unmount//srv (/srv): busy',
      'The machine is shut down all the same; check its file systems afterwards.',
    ],
    ['ups_output_off/office (office): the UPS has no such command', output],
    [
      'nut_secondaries/office (office): ACCESS-DENIED',
      'Shut the secondaries of that UPS down yourself if you can.',
    ],
    [`${powerdownFlagStep('/etc/killpower').id} (this host): EROFS`, output],
  ] as const)
    it(`says what to do after ${detail}`, () => {
      const message = messageFor({ source: 'office', type: 'SHUTDOWN_STEP_FAILED', detail }, '');
      expect(message?.split('without it. ')[1]).to.equal(remedy);
    });
});
