// The input voltage as it is judged: of a UPS with one phase input.voltage, of one with three the highest and the lowest phase, each
// beside a nominal voltage of its own kind (phase to neutral or phase to phase).
import { volts } from './quantity.js';
import type { Reading, Variables } from './reading.js';

export interface PhaseVoltage {
  /** As NUT names it: L1, L1-N, L1-L2. */
  readonly phase: string;
  readonly volts: number;
}

export interface MainsVoltage {
  readonly highestVolts: number | null;
  /** Of the phases that carry any. */
  readonly lowestVolts: number | null;
  readonly nominalVolts: number | null;
  /** Empty for a UPS that shows no voltage for each phase. */
  readonly phases: readonly PhaseVoltage[];
}

/** A phase with less than this share of the highest has none: it is lost or not connected. */
const carriesShare = 0.1;

interface Kind {
  readonly phases: readonly { readonly phase: string; readonly input: string; readonly output: string }[];
  readonly isPhaseToPhase: boolean;
}
const kind = (phases: readonly string[], isPhaseToPhase: boolean): Kind => ({
  phases: phases.map((phase) => ({
    phase,
    input: `input.${phase}.voltage`,
    output: `output.${phase}.voltage`,
  })),
  isPhaseToPhase,
});
/** NUT docs/nut-names.txt, "Three-phase measurements"; some drivers leave the -N out. The first of which any is shown counts. */
const kinds = [
  kind(['L1-N', 'L2-N', 'L3-N'], false),
  kind(['L1', 'L2', 'L3'], false),
  kind(['L1-L2', 'L2-L3', 'L3-L1'], true),
];

/** Names of the voltages of one side, of all kinds. */
export const voltageNames = (side: 'input' | 'output'): readonly string[] =>
  kinds.flatMap(({ phases }) => phases.map((names) => names[side]));

/** The voltages of input or output by the kind of which any is shown; null without one. */
export function phaseVoltages(
  variables: Variables,
  side: 'input' | 'output',
): { readonly voltages: readonly PhaseVoltage[]; readonly isPhaseToPhase: boolean } | null {
  const shown = kinds.find(({ phases }) => phases.some((names) => variables[names[side]] !== undefined));
  if (shown === undefined) return null;
  const voltages = shown.phases.flatMap(({ phase, [side]: name }) => {
    const text = variables[name];
    const value = text === undefined ? null : volts(text);
    return value === null ? [] : [{ phase, volts: value }];
  });
  return voltages.length === 0 ? null : { voltages, isPhaseToPhase: shown.isPhaseToPhase };
}

/** `knownVolts`: the nominal voltage that was taken before. */
export function mainsVoltageOf(
  reading: Reading,
  variables: Variables,
  knownVolts: number | null,
): MainsVoltage {
  const shown = phaseVoltages(variables, 'input');
  if (shown === null) return withoutPhases(reading, variables, knownVolts);
  const phases = shown.voltages;
  const all = phases.map((phase) => phase.volts);
  const highestVolts = Math.max(...all);
  const { nominalVolts } = reading;
  return {
    highestVolts,
    lowestVolts: Math.min(...all.filter((one) => one >= highestVolts * carriesShare)),
    nominalVolts:
      nominalVolts === null ? null : comparable(nominalVolts, shown.isPhaseToPhase, highestVolts, knownVolts),
    phases,
  };
}

function withoutPhases(
  { inputVolts, nominalVolts }: Reading,
  variables: Variables,
  knownVolts: number | null,
): MainsVoltage {
  // input.voltage of three phases may be that between two of them.
  const mayBeBetween = nominalVolts !== null && Number(variables['input.phases'] ?? 1) > 1;
  return {
    highestVolts: inputVolts,
    lowestVolts: inputVolts,
    nominalVolts: mayBeBetween
      ? either(nominalVolts, betweenPhases(nominalVolts), inputVolts ?? 0, knownVolts)
      : nominalVolts,
    phases: [],
  };
}

/** No grid has less between two phases than `low`, or `high` and more from a phase to neutral. */
const low = 200;
const high = 300;

/** `nominal` in the kind of the phases. */
function comparable(
  nominal: number,
  isPhaseToPhase: boolean,
  highestVolts: number,
  knownVolts: number | null,
): number {
  const other = isPhaseToPhase ? betweenPhases(nominal) : oneDecimal(nominal / Math.sqrt(3));
  if (nominal < low) return isPhaseToPhase ? other : nominal;
  if (nominal >= high) return isPhaseToPhase ? nominal : other;
  return either(nominal, other, highestVolts, knownVolts);
}

/** Grids of both kinds have 208 or 230 V: the voltage shows which, and a brownout does not change it. */
function either(nominal: number, other: number, volts: number, knownVolts: number | null): number {
  if (knownVolts === nominal || knownVolts === other) return knownVolts;
  return Math.abs(volts - other) <= other * nearShare ? other : nominal;
}

/** The two kinds are 42 % apart or more. */
const nearShare = 0.2;
const betweenPhases = (nominal: number): number => oneDecimal(nominal * Math.sqrt(3));
const oneDecimal = (value: number): number => Math.round(value * 10) / 10;
