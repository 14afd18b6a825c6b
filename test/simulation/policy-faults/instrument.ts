// Adds a call to the begin of every function of a module, by which it can throw.
import ts from 'typescript';
import { compiled } from '../../mutation/mutants.js';

export interface Instrumented {
  /** JavaScript. */
  readonly text: string;
  /** The functions, by file and name. */
  readonly places: readonly string[];
}

export function instrumented(file: string, source: string): Instrumented {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2023, true);
  const places: string[] = [];
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const placeOf = (name: string): string => {
    const before = places.filter((place) => place.startsWith(`${file} ${name}`)).length;
    const place = `${file} ${name}${before === 0 ? '' : ` ${String(before + 1)}`}`;
    places.push(place);
    return JSON.stringify(place);
  };
  const visit = (node: ts.Node, within: string): void => {
    let name = within;
    if (isNamed(node)) name = node.name.getText(tree);
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.Node;
      const [first] = node.parameters;
      const about = first !== undefined && ts.isIdentifier(first.name) ? `, ${first.name.text}` : '';
      // A module that is imported before it is set cannot throw.
      const call = `globalThis.policyCall?.(${placeOf(name)}${about})`;
      if (ts.isBlock(body)) insertions.push({ at: body.getStart(tree) + 1, text: `${call};` });
      else {
        insertions.push({ at: body.getStart(tree), text: `(${call}, ` });
        insertions.push({ at: body.end, text: ')' });
      }
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(tree, 'module');
  let text = source;
  for (const { at, text: added } of insertions.sort((a, b) => b.at - a.at))
    text = text.slice(0, at) + added + text.slice(at);
  return { text: compiled(text), places };
}

function isNamed(node: ts.Node): node is ts.Node & { readonly name: ts.Node } {
  if (ts.isVariableDeclaration(node)) return ts.isIdentifier(node.name);
  return (
    (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node)) &&
    node.name !== undefined
  );
}
