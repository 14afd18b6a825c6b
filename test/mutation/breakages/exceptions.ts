// Mutants that let an exception into the path from a reading to a command.
import type { Breakage } from './breakage.js';

export const exceptionBreakages: readonly Breakage[] = [
  {
    name: 'a listener that throws breaks its caller',
    file: 'supervisor/guard/guard.ts',
    find: 'return this.#wrap(name, target, silent, 1);',
    replace: 'return target;',
  },
  {
    name: 'a call that failed is not retried',
    file: 'supervisor/guard/guard.ts',
    find: 'return this.#wrap(name, target, fallback, 2);',
    replace: 'return this.#wrap(name, target, fallback, 1);',
  },
  {
    name: 'a rejected promise rejects the caller',
    file: 'supervisor/guard/guard.ts',
    find: 'if (!(value instanceof Promise)) return value;',
    replace: 'return value;',
  },
  {
    name: 'an exception in one part of a tick skips the other parts',
    file: 'supervisor/guard/guard.ts',
    find: 'this.run(`${place} of ${name}`, act);',
    replace: 'act();',
  },
  {
    name: 'an exception in the log ends the caller',
    file: 'supervisor/guard/guard.ts',
    find: '// The log itself throws: there is nowhere else to write.',
    replace: 'throw error;',
  },
  {
    name: 'a timer that is set twice fires twice',
    file: 'supervisor/engine/guarded-dependencies.ts',
    find: 'if (isOver) return;',
    replace: '',
  },
  {
    name: 'a decision is not executed when its commit fails',
    file: 'supervisor/engine/perform-effects.ts',
    find: "guard.run('the commit of a decision', () => handlers.commit());",
    replace: 'handlers.commit();',
  },
  {
    name: 'an exception in one effect skips the other effects',
    file: 'supervisor/engine/perform-effects.ts',
    find: 'guard.run(`effect ${effect.kind}`, () => performEffect(effect, handlers));',
    replace: 'performEffect(effect, handlers);',
  },
  {
    name: 'commands run before their decision is committed',
    file: 'supervisor/engine/perform-effects.ts',
    find: "guard.run('the commit of a decision', () => handlers.commit());",
    replace: "queueMicrotask(() => guard.run('the commit of a decision', () => handlers.commit()));",
  },
  {
    name: 'an exception in one input blocks all later inputs',
    file: 'supervisor/engine/loop.ts',
    find: "this.#guard.run('an input', () => this.#handle(current));",
    replace: 'this.#handle(current);',
  },
  {
    name: 'an exception in an effect ends the loop',
    file: 'supervisor/engine/loop.ts',
    find: 'this.#guard.run(`the effects of a ${input.kind} input`, () => this.#perform(stepped.effects));',
    replace: 'this.#perform(stepped.effects);',
  },
  {
    name: 'a lost start is not resumed',
    file: 'supervisor/engine/engine.ts',
    find: "guard.run('the search for lost sequences', () => this.#findLostSequences());",
    replace: '',
  },
  {
    name: 'an ended sequence is resumed together with a lost one',
    file: 'supervisor/engine/engine.ts',
    find: ' && !unknownToPolicy.includes(sequence)',
    replace: '',
  },
  {
    name: 'the resumption of a sequence is reported although it does not run',
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
    name: 'the search for lost sequences stops the updates of the journal cache',
    file: 'supervisor/sequence/journal/cache.ts',
    find: 'if (!this.#cached.has(found.name)) this.#cached.set',
    replace: 'this.#cached.set',
  },
  {
    name: 'an exception in a phase ends the sequence',
    file: 'supervisor/sequence/run.ts',
    find: 'await this.#tryTwice(`phase ${phase.name}`, () => this.#runPhase(phase))',
    replace: 'await this.#runPhase(phase)',
  },
  {
    name: 'an exception after the command of a step runs the command again',
    file: 'supervisor/sequence/run.ts',
    find: 'this.#outcomes.get(id) ?? ',
    replace: '',
  },
  {
    name: 'a step is not awaited when its start cannot be recorded',
    file: 'supervisor/sequence/run.ts',
    find: "this.#deps.guard.run('the progress of steps', change);",
    replace: 'change();',
  },
  {
    name: 'an exception in the gate of a step skips the step',
    file: 'supervisor/sequence/dependencies.ts',
    find: '...queries,',
    replace: '',
  },
  {
    name: 'an exception in a listener ends the sequence',
    file: 'supervisor/sequence/dependencies.ts',
    find: "observer: guard.listener('the observer of a sequence', observer, noSequenceObserver),",
    replace: '',
  },
  {
    name: 'a cancelled sequence never ends when its steps cannot be recorded',
    file: 'supervisor/sequence/run.ts',
    find: 'this.#updateProgress(() => this.#progress.skipPending(reason));',
    replace: 'this.#progress.skipPending(reason);',
  },
  {
    name: 'the power-off is not retried after an exception',
    file: 'supervisor/sequence/phases/power-off.ts',
    find: 'return failed(`internal error: ${String(error)}`);',
    replace: 'throw error;',
  },
];
