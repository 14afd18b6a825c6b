// What a reading changes of mains voltage and its phases, as the facts of events.
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import type { PhaseChanges } from '../power/phase-loss.js';
import type { VoltageChange } from '../power/voltage.js';
import type { Fact } from './events.js';
import { voltageAt } from './quality-words.js';

export function voltageFacts(change: VoltageChange, mains: MainsVoltage): readonly Fact[] {
  if (change.kind === 'mismatch') {
    const { beforeVolts, afterVolts } = change;
    return [{ type: 'VOLTAGE_AUTODETECT_MISMATCH', beforeVolts, afterVolts }];
  }
  const at = voltageAt(mains, 'side' in change ? change.side : 'LOW');
  if (at === null) return [];
  if (change.kind === 'normalized') return [{ type: 'VOLTAGE_NORMALIZED', at, lastedMs: change.lastedMs }];
  const { side } = change;
  if (change.kind === 'suppressed')
    return [{ type: 'VOLTAGE_FLAP_SUPPRESSED', side, at, lastedMs: change.lastedMs }];
  const type = side === 'LOW' ? 'BROWNOUT_DETECTED' : 'OVER_VOLTAGE_DETECTED';
  const isReported = change.kind === 'report';
  return [{ type, at, isReported, isFar: isReported && change.severe }];
}

export function phaseFacts({ lost, back }: PhaseChanges, mains: MainsVoltage): readonly Fact[] {
  const at = (names: readonly string[]) => mains.phases.filter(({ phase }) => names.includes(phase));
  const highestVolts = mains.highestVolts ?? 0;
  return [
    ...(lost.length > 0 ? [{ type: 'PHASE_LOST', phases: at(lost), highestVolts } as const] : []),
    ...(back.length > 0 ? [{ type: 'PHASE_RESTORED', phases: at(back) } as const] : []),
  ];
}
