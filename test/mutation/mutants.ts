// Makes the mutants of a source file: one small change of its syntax tree each.
import ts from 'typescript';

export interface Mutant {
  /** `supervisor/policy/power/power-source.ts` */
  readonly file: string;
  readonly line: number;
  readonly context: string;
  /** The code before and after the change, each on one line. */
  readonly before: string;
  readonly after: string;
  readonly source: string;
  /** What is tried first, by its name in relevant.ts. */
  readonly lastCaughtBy: string | null;
}

interface Change {
  readonly node: ts.Node;
  readonly after: string;
}

const operators: ReadonlyMap<ts.SyntaxKind, readonly string[]> = new Map([
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.AmpersandAmpersandToken, ['||']],
  [ts.SyntaxKind.BarBarToken, ['&&']],
  [ts.SyntaxKind.PlusToken, ['-']],
  [ts.SyntaxKind.MinusToken, ['+']],
  [ts.SyntaxKind.AsteriskToken, ['/']],
  [ts.SyntaxKind.SlashToken, ['*']],
]);

/** Methods with the opposite effect. */
const opposites: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' };

/** Every mutant of `text`, in the order of the file. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  const lines = text.split('\n');
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    // Types, imports and messages for users decide nothing.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node)) return;
    for (const { node: place, after } of changesAt(node)) {
      const start = place.getStart(tree);
      const before = text.slice(start, place.end);
      const { line } = tree.getLineAndCharacterOfPosition(start);
      mutants.push({
        file,
        line: line + 1,
        context: lines[line]?.trim() ?? '',
        before: onOneLine(before),
        after: onOneLine(after),
        source: text.slice(0, start) + after + text.slice(place.end),
        lastCaughtBy: null,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}

/** The compiled mutant: types are stripped and not checked. */
export function compiled(source: string): string {
  return ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}

function changesAt(node: ts.Node): readonly Change[] {
  if (ts.isBinaryExpression(node)) return binary(node);
  if (ts.isNumericLiteral(node)) return [{ node, after: `(${node.text} + 1)` }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ node, after: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ node, after: 'true' }];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [{ node, after: node.operand.getText() }];
  }
  if (ts.isConditionalExpression(node)) {
    const { whenTrue, whenFalse } = node;
    return [whenTrue, whenFalse].map((part) => ({ node, after: `(${part.getText()})` }));
  }
  if (ts.isIfStatement(node))
    return [condition(node.expression, 'true'), condition(node.expression, 'false')];
  if (ts.isExpressionStatement(node)) return isUnreachable(node.expression) ? [] : [{ node, after: ';' }];
  if (ts.isPropertyAccessExpression(node)) return method(node);
  if (ts.isPropertyAssignment(node) && node.initializer.kind !== ts.SyntaxKind.NumericLiteral) return [];
  return [];
}

function binary(node: ts.BinaryExpression): readonly Change[] {
  const { operatorToken, left, right } = node;
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [{ node, after: `(${right.getText()})` }];
  }
  // String concatenation has no opposite operator.
  const isText = operatorToken.kind === ts.SyntaxKind.PlusToken && (isString(left) || isString(right));
  if (isText) return [];
  return (operators.get(operatorToken.kind) ?? []).map((after) => ({ node: operatorToken, after }));
}

function condition(node: ts.Expression, after: string): Change {
  return { node, after };
}

function method(node: ts.PropertyAccessExpression): readonly Change[] {
  const opposite = Object.hasOwn(opposites, node.name.text) ? opposites[node.name.text] : undefined;
  return opposite === undefined ? [] : [{ node: node.name, after: opposite }];
}

function isString(node: ts.Expression): boolean {
  return (
    ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)
  );
}

/** No test can catch unreachable code. */
function isUnreachable(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.getText() === 'unreachable';
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 100);
}
