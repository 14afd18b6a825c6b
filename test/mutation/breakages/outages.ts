// Ways to break what policy makes of outages, words and sequences, and what carries its decisions out.
import type { Breakage } from './breakage.js';

export const outageBreakages: readonly Breakage[] = [
  {
    name: 'a single OL ends the outage',
    file: 'supervisor/policy/line.ts',
    find: 'if (lineReadings < confirmations) return',
    replace: 'if (lineReadings < 1) return',
  },
  {
    name: 'OFF in an outage counts as a reading on line power',
    file: 'supervisor/policy/line.ts',
    find: "if (source !== 'line') {",
    replace: "if (source === 'battery') {",
  },
  {
    name: 'OB again within a minute begins a new outage',
    file: 'supervisor/policy/line.ts',
    find: 'return resumed(line.ended);',
    replace: 'return begun(now);',
  },
  {
    name: 'a first reading with OB is taken for line power',
    file: 'supervisor/policy/line.ts',
    find: "return source === 'battery' ? begun(now) : mains;",
    replace: 'return mains;',
  },
  {
    name: 'OL together with OB counts as line power',
    file: 'shared/domain/status-words.ts',
    find: "if (words.includes('OB')) return 'battery';",
    replace: "if (words.includes('OB') && !words.includes('OL')) return 'battery';",
  },
  {
    name: 'an FSD that was there at the first reading shuts down at every boot',
    file: 'supervisor/policy/fsd.ts',
    find: "return source === 'line' ? latched : acting(now);",
    replace: 'return acting(now);',
  },
  {
    name: 'a latched FSD is ignored on battery too',
    file: 'supervisor/policy/fsd.ts',
    find: "return source === 'battery' ? acting(now) : fsd;",
    replace: 'return fsd;',
  },
  {
    name: 'FSD is over although it is still shown',
    file: 'supervisor/policy/fsd.ts',
    find: "return !present && source === 'line' ? absent : fsd;",
    replace: "return source === 'line' ? absent : fsd;",
  },
  {
    name: 'a calibration holds for as long as its word is stuck',
    file: 'supervisor/policy/inhibits.ts',
    find: 'if (within(holds.calibrationMs, calibrationLimitMs, nowMs)) return',
    replace: 'if (holds.calibrationMs !== null) return',
  },
  {
    name: 'LB acts at once in a calibration',
    file: 'supervisor/policy/inhibits.ts',
    find: "return within(holds.calibrationLowMs, calibrationLowBatteryMs, nowMs) ? 'calibration' : null;",
    replace: 'return null;',
  },
  {
    name: 'the end of the sequence re-arms in the middle of the outage',
    file: 'supervisor/policy/shutdown.ts',
    find: 'return shutdown.outageOver ? armed : { ...shutdown, sequenceOver: true };',
    replace: 'return armed;',
  },
  {
    name: 'the return of power re-arms while the sequence runs',
    file: 'supervisor/policy/shutdown.ts',
    find: 'if (shutdown.sequenceOver) return { shutdown: armed, change: null };',
    replace: 'return { shutdown: armed, change: null };',
  },
  {
    name: 'the latch of a trigger that was met is lost at the next reading',
    file: 'supervisor/policy/ups.ts',
    find: "met: line.kind === 'outage' ? ups.met : null,",
    replace: 'met: null,',
  },
  {
    name: 'a member of a redundancy group starts a sequence of its own',
    file: 'supervisor/policy/fire-trigger.ts',
    find: 'const own = policy.advisory ? null : request;',
    replace: 'const own = request;',
  },
  {
    name: 'a started sequence is not told to the supervisor',
    file: 'supervisor/policy/fire-trigger.ts',
    find: "if (change === 'started') effects.startSequence",
    replace: "if (change !== 'started') effects.startSequence",
  },
  {
    name: 'the start of an outage does not survive a restart',
    file: 'supervisor/policy/ups.ts',
    find: 'line: identical,',
    replace: 'line: ignored,',
  },
  {
    name: 'a restart forgets that a sequence was started',
    file: 'supervisor/policy/snapshot.ts',
    find: "if (shutdown.kind !== 'fired' || shutdown.sequenceOver) continue;",
    replace: "if (shutdown.kind !== 'fired' || !shutdown.sequenceOver) continue;",
  },
  {
    name: 'a restart takes up a sequence that has ended',
    file: 'supervisor/policy/snapshot.ts',
    find: "if (shutdown.kind !== 'fired' || shutdown.sequenceOver) continue;",
    replace: "if (shutdown.kind !== 'fired') continue;",
  },
  {
    name: 'the commit of a decision is forgotten',
    file: 'supervisor/engine/perform-effects.ts',
    find: "guard.run('the commit of a decision', () => handlers.commit());",
    replace: '',
  },
  {
    name: 'a rehearsal runs the real commands',
    file: 'supervisor/sequence/sequences.ts',
    find: 'actuator: plan.dryRun ? dryRunActuator(log) : ',
    replace: 'actuator: ',
  },
  {
    name: 'a sequence whose decision nobody remembers is called off by line power of before it',
    file: 'supervisor/policy/resume.ts',
    find: 'isPowerStable(ups) ? unseen(ups) : ups',
    replace: 'isPowerStable(ups) ? ups : ups',
  },
  {
    name: 'a UPS of which nothing is known has its power back',
    file: 'supervisor/policy/power.ts',
    find: 'ups.readings.last !== null && isPowerStable(ups)',
    replace: 'isPowerStable(ups)',
  },
];
