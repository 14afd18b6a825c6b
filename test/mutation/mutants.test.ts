import { expect } from 'chai';
import { compiled, mutantsOf } from './mutants.js';
import { sourceOf } from './pool.js';
import { knownSurvivors, nameOf } from './survivors.js';

function changes(source: string): readonly string[] {
  return mutantsOf('a.ts', source).map(({ before, after }) => `${before} -> ${after}`);
}

describe('the mutants of a source', () => {
  it('move the boundary of comparisons and invert them', () => {
    expect(changes('export const f = (a: number) => a < b;')).to.deep.equal(['< -> <=', '< -> >=']);
    expect(changes('export const f = a === b;')).to.deep.equal(['=== -> !==']);
  });

  it('swap and, or, true, false, all and any, and drop a not', () => {
    expect(changes('export const f = a && true;')).to.deep.equal(['&& -> ||', 'true -> false']);
    expect(changes('export const f = !a;')).to.deep.equal(['!a -> a']);
    expect(changes('export const f = a.some(b);')).to.deep.equal(['some -> every']);
  });

  it('move constants, take either side of a choice, and leave statements out', () => {
    expect(changes('const ms = 30_000;')).to.deep.equal(['30_000 -> (30000 + 1)']);
    expect(changes('export const f = a ? b : c;')).to.deep.equal(['a ? b : c -> (b)', 'a ? b : c -> (c)']);
    expect(changes('if (a) b();')).to.deep.equal(['a -> true', 'a -> false', 'b(); -> ;']);
  });

  it('do not change types, imports and unreachable code', () => {
    expect(changes("import { a } from './a.js';")).to.deep.equal([]);
    expect(changes('export type T = 1 | 2;')).to.deep.equal([]);
    expect(changes('unreachable(x);')).to.deep.equal([]);
  });

  it('have the number of their line and compile without types', () => {
    const [first] = mutantsOf('a.ts', '\nconst limit: number = 5;\n');
    expect(first).to.include({ line: 2, context: 'const limit: number = 5;' });
    expect(compiled(first?.source ?? '')).to.contain('const limit = (5 + 1);');
  });
});

describe('the mutants that survive with a reason', () => {
  it('are mutants of the files as they are', () => {
    const known = [...knownSurvivors().keys()];
    const files = new Set(known.map((name) => name.slice(0, name.indexOf(': '))));
    const names = new Set([...files].flatMap((file) => mutantsOf(file, sourceOf(file)).map(nameOf)));
    expect(known).to.have.length.above(50);
    expect(known.filter((name) => !names.has(name))).to.deep.equal([]);
  });
});
