// `$((…))`: its value where it is certain, from whole numbers, variables, + - * and brackets. Pure.

/** After `$`; without commands, quotes and assignments inside. */
const form =
  /^\(\(((?:[\w \t+*/%<>!&|?:-]|[=!<>]=|\$(?:\w+(?!\w)|\{\w+\})|\((?:[\w \t+*/%-]|\$(?:\w+(?!\w)|\{\w+\}))*\))*)\)\)/;

/** The whole of it and what is between the brackets; null where it is not of the form. */
export function arithmeticOf(rest: string): { readonly whole: string; readonly expression: string } | null {
  const [whole, expression = ''] = form.exec(rest) ?? [];
  return whole === undefined || /\+\+|--/.test(expression) ? null : { whole, expression };
}

const names = /\$\{(\w+)\}|\$([A-Za-z_]\w*|\d)|(?<!\w)([A-Za-z_]\w*)/g;
/** Of one meaning in every shell: 010 is 8 in most. */
const whole = /^(?:0|[1-9]\d{0,8})$/;

/** Null where it is not certain. `variable`: null for one that is not known. */
export function resultOf(expression: string, variable: (name: string) => string | null): string | null {
  const numbers = expression.replace(names, (_, braced?: string, plain?: string, bare?: string) => {
    const value = variable(braced ?? plain ?? bare ?? '');
    return value !== null && whole.test(value) ? value : '?';
  });
  const tokens = numbers.match(/\d+|\S/g) ?? [];
  let at = 0;
  const operand = (): number => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token !== '(') return whole.test(token) ? Number(token) : NaN;
    const inner = sum();
    at += 1;
    return tokens[at - 1] === ')' ? inner : NaN;
  };
  const product = (): number => {
    let value = operand();
    for (; tokens[at] === '*';) {
      at += 1;
      value *= operand();
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    for (; tokens[at] === '+' || tokens[at] === '-';) {
      const sign = tokens[at] === '+' ? 1 : -1;
      at += 1;
      value += sign * product();
    }
    return value;
  };
  const value = sum();
  return at === tokens.length && Math.abs(value) < 1e9 ? String(value) : null;
}
