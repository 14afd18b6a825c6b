import { expect } from 'chai';
import { messageFor } from '../../../supervisor/events/messages.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { rig } from '../sequence/several.js';

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
      'A shutdown was cancelled before anything was shut down: office: cancelled by user:alice. It does not start again ' +
        'before the power has been back: shut the machines down yourself, or they run until the battery is empty.',
    );
  });

  it('asks for nothing when the power is back', () => {
    expect(messageAfter((sequences) => sequences.powerReturned('office'))).to.equal(
      'A shutdown was cancelled before anything was shut down: office: power is back. Nothing needs to be done.',
    );
  });
});
