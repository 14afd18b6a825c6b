// Ways to let an exception onto the path from a reading to a command, and to forget what it has interrupted.
import type { Breakage } from './breakage.js';

export const exceptionBreakages: readonly Breakage[] = [
  {
    name: 'a listener that throws disturbs its caller',
    file: 'supervisor/guard/guard.ts',
    find: 'return this.#wrap(name, target, silent, 1);',
    replace: 'return target;',
  },
  {
    name: 'a tool whose call has failed is not called once more',
    file: 'supervisor/guard/guard.ts',
    find: 'return this.#wrap(name, target, fallback, 2);',
    replace: 'return this.#wrap(name, target, fallback, 1);',
  },
  {
    name: 'a tool whose promise was rejected rejects its caller',
    file: 'supervisor/guard/guard.ts',
    find: 'if (!(value instanceof Promise)) return value;',
    replace: 'return value;',
  },
  {
    name: 'one part of a tick that throws takes the turn of the others',
    file: 'supervisor/guard/guard.ts',
    find: 'this.run(`${place} of ${name}`, act);',
    replace: 'act();',
  },
  {
    name: 'a log that throws ends what it should tell of',
    file: 'supervisor/guard/guard.ts',
    find: '// The log itself throws: there is nowhere else to write.',
    replace: 'throw error;',
  },
  {
    name: 'an appointment that was made twice is kept twice',
    file: 'supervisor/engine/guarded-dependencies.ts',
    find: 'if (isOver) return;',
    replace: '',
  },
  {
    name: 'a decision that cannot be committed is not carried out',
    file: 'supervisor/engine/perform-effects.ts',
    find: "guard.run('the commit of a decision', () => handlers.commit());",
    replace: 'handlers.commit();',
  },
  {
    name: 'an effect that throws keeps the others from being performed',
    file: 'supervisor/engine/perform-effects.ts',
    find: 'guard.run(`effect ${effect.kind}`, () => performEffect(effect, handlers));',
    replace: 'performEffect(effect, handlers);',
  },
  {
    name: 'commands come before the commit of their decision',
    file: 'supervisor/engine/perform-effects.ts',
    find: "guard.run('the commit of a decision', () => handlers.commit());",
    replace: "queueMicrotask(() => guard.run('the commit of a decision', () => handlers.commit()));",
  },
  {
    name: 'an input that throws keeps all later ones waiting',
    file: 'supervisor/engine/loop.ts',
    find: "this.#guard.run('an input', () => this.#handle(current));",
    replace: 'this.#handle(current);',
  },
  {
    name: 'effects that throw are the end of the loop',
    file: 'supervisor/engine/loop.ts',
    find: 'this.#guard.run(`the effects of a ${input.kind} input`, () => this.#perform(stepped.effects));',
    replace: 'this.#perform(stepped.effects);',
  },
  {
    name: 'a start that was lost is not found',
    file: 'supervisor/engine/engine.ts',
    find: "guard.run('the search for lost sequences', () => this.#findLostSequences());",
    replace: '',
  },
  {
    name: 'a sequence that has ended is taken up beside one that was lost',
    file: 'supervisor/engine/engine.ts',
    find: ' && !unknownToPolicy.includes(sequence)',
    replace: '',
  },
  {
    name: 'the resumption of a sequence is told although it does not run',
    file: 'supervisor/engine/engine.ts',
    find: 'if (runs) observer.record',
    replace: 'observer.record',
  },
  {
    name: 'the buffer of events is not restored',
    file: 'supervisor/engine/deferred-events.ts',
    find: 'this.#held = undefined;',
    replace: '',
  },
  {
    name: 'the search for lost sequences freezes the journals at hand',
    file: 'supervisor/sequence/journal/cache.ts',
    find: 'if (!this.#cached.has(found.name)) this.#cached.set',
    replace: 'this.#cached.set',
  },
  {
    name: 'a phase that throws is the end of the sequence',
    file: 'supervisor/sequence/run.ts',
    find: 'await this.#tryTwice(`phase ${phase.name}`, () => this.#runPhase(phase))',
    replace: 'await this.#runPhase(phase)',
  },
  {
    name: 'a step that throws after its command runs the command again',
    file: 'supervisor/sequence/run.ts',
    find: 'this.#outcomes.get(id) ?? ',
    replace: '',
  },
  {
    name: 'a step is not waited for when its begin cannot be noted',
    file: 'supervisor/sequence/run.ts',
    find: "this.#deps.guard.run('the progress of steps', change);",
    replace: 'change();',
  },
  {
    name: 'a step does not begin when its gate throws',
    file: 'supervisor/sequence/dependencies.ts',
    find: '...queries,',
    replace: '',
  },
  {
    name: 'a listener of a sequence that throws ends the sequence',
    file: 'supervisor/sequence/dependencies.ts',
    find: "observer: guard.listener('the observer of a sequence', observer, noSequenceObserver),",
    replace: '',
  },
  {
    name: 'a sequence that was called off is never over when its steps cannot be noted',
    file: 'supervisor/sequence/run.ts',
    find: 'this.#updateProgress(() => this.#progress.skipPending(reason));',
    replace: 'this.#progress.skipPending(reason);',
  },
  {
    name: 'a try of the power-off that throws is not tried again',
    file: 'supervisor/sequence/phases/power-off.ts',
    find: 'return failed(`internal error: ${String(error)}`);',
    replace: 'throw error;',
  },
];
