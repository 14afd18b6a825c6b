// Requests to routes by their paths in the index and the OpenAPI document.
import type { Answered, Target } from './raw.js';
import { Held, answersIn, ask } from './raw.js';

const values: Readonly<Record<string, string>> = {
  name: 'office%40127.0.0.1',
  group: 'rack-1',
  id: '7',
  period: 'week',
  var: 'ups.delay.shutdown',
};

/** The path with values that the fixture has in place of its parameters. */
export const pathOf = (route: string): string =>
  route.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

/** The answer of any route; of the stream, which does not end, only its head. */
export async function answerOf(
  target: Target,
  method: string,
  route: string,
  headers: string,
  body = '',
): Promise<Answered> {
  if (route !== '/api/v1/stream') return ask(target, pathOf(route), { method, headers, body });
  const held = new Held(target);
  held.socket.write(`${method} ${route} HTTP/1.1\r\n${headers}\r\n`);
  await held.until((text) => text.includes('\r\n\r\n'));
  held.socket.destroy();
  return answersIn(held.received, 'HEAD')[0] as Answered;
}
