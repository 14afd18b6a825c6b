import { expect } from 'chai';
import type { RecordedTarget } from '../../../shared/domain/recovery/record.js';
import type { TargetFacts } from '../../../supervisor/recovery/target-record.js';
import { afterBoot, newTarget, targetAfter } from '../../../supervisor/recovery/target-record.js';

const onLinePower: TargetFacts = {
  look: { before: 'up', answers: true, unixSeconds: null },
  ...{ command: 'none', commandedForMs: null, isFoundOff: false, isDryRun: false, inOutage: false },
  ...{ byHandUnixSeconds: null },
  ...{ isLookedAt: true, haltTimeoutMs: 0, nowUnixSeconds: 5_000 },
  guests: { found: [], endOf: () => null },
};
const host = (command: RecordedTarget['command']): RecordedTarget => ({ ...newTarget(null), command });

describe('the record of this host', () => {
  it('has on the next boot that it came back after its power-off, once its outage is over', () => {
    const booted = afterBoot(host('given'), true);
    expect(booted).to.include({ command: 'given', isOff: true });
    const waiting = targetAfter(booted, { ...onLinePower, inOutage: true });
    expect(waiting, 'on battery again').to.include({ command: 'given', provenUnixSeconds: null });
    const back = targetAfter(waiting, onLinePower);
    expect(back).to.include({ command: 'none', isOff: false, provenUnixSeconds: 5_000 });
    const later = targetAfter(afterBoot(back, false), { ...onLinePower, nowUnixSeconds: 9_000 });
    expect(later, 'a boot without an outage').to.include({ provenUnixSeconds: 5_000 });
  });

  it('has no return of a boot without a power-off, and none of a power-off that failed on the same boot', () => {
    expect(targetAfter(afterBoot(host('none'), true), onLinePower).provenUnixSeconds).to.equal(null);
    expect(targetAfter(host('given'), onLinePower)).to.include({ command: 'none', provenUnixSeconds: null });
  });
});
