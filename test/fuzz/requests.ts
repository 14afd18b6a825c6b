// Random requests from a seed, from almost valid to garbage: existing paths and path traversal, contradictory headers,
// bodies with a wrong length.
import { Random } from '../simulation/random.js';

export interface FuzzTarget {
  readonly ups: string;
  readonly key: string;
}

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
];

const paths = [
  '/',
  '/app.js',
  '/old-browser.js',
  '/health',
  '/ready',
  '/metrics',
  '/api/v1',
  '/api/v1/openapi.json',
  '/api/v1/ups',
  '/api/v1/ups/{name}',
  '/api/v1/ups/{name}/readings',
  '/api/v1/ups/{name}/explain',
  '/api/v1/ups/{name}/shutdown-plan',
  '/api/v1/ups/{name}/history',
  '/api/v1/ups/{name}/events',
  '/api/v1/ups/{name}/commands',
  '/api/v1/ups/{name}/command',
  '/api/v1/ups/{name}/variables',
  '/api/v1/ups/{name}/variables/ups.delay.shutdown',
  '/api/v1/ups/{name}/self-test',
  '/api/v1/redundancy/rack-1/explain',
  '/api/v1/events',
  '/api/v1/sequence',
  '/api/v1/config',
  '/api/v1/remote-health',
  '/api/v1/auth/state',
  '/api/v1/auth/login',
  '/api/v1/auth/logout',
  '/control/v1/status',
];

const climbs = [
  '../',
  '..\\',
  '%2e%2e/',
  '%2e%2e%2f',
  '..%2f',
  '..%5c',
  '%252e%252e%252f',
  '..;/',
  '%c0%ae%c0%ae/',
  '.%00./',
  '....//',
  '%uff0e%uff0e/',
  '\u2024\u2024/',
];

const parameters = [
  'metric',
  'from',
  'to',
  'points',
  'limit',
  'verbosity',
  'category',
  'before',
  'beforeSource',
  'beforeId',
];
const oddValues = [
  '',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  'charge',
  '%00',
  "' OR 1=1 --",
  '%zz',
  '[]',
  'true',
];
const bodies = [
  '{}',
  '[]',
  'null',
  '{"command":"beeper.mute"}',
  '{"command":"shutdown.return"}',
  '{"value":"30"}',
  '{"items":[{"id":1,"ts":1,"eventType":"X"}]}',
  '{"__proto__":{"command":"beeper.mute"}}',
  '{"username":"alice","password":"x"}',
  '{',
  '\u0000\u0001\u0002',
];

/** The method that the path supports. */
function fitting(path: string): string {
  if (/\/(?:command|self-test|login|logout)$/.test(path)) return 'POST';
  if (/\/variables\/./.test(path)) return 'PUT';
  return /name\}\/events$/.test(path) ? 'DELETE' : 'GET';
}

export interface FuzzRequest {
  readonly method: string;
  readonly bytes: Buffer;
}

export class FuzzRequests {
  readonly #random: Random;
  readonly #target: FuzzTarget;

  constructor(seed: number, index: number, target: FuzzTarget) {
    this.#random = new Random(seed, index);
    this.#target = target;
  }

  /** How many requests are pipelined on the connection, and after how many ms it is closed, if at all. */
  plan(): { readonly pipelined: number; readonly breakAfterMs: number | null } {
    const random = this.#random;
    return {
      pipelined: random.chance(0.15) ? random.integer(2, 6) : 1,
      breakAfterMs: random.chance(0.05) ? random.integer(0, 5) : null,
    };
  }

  next(): FuzzRequest {
    const random = this.#random;
    if (random.chance(0.02)) return { method: '', bytes: this.#garbage(random.integer(1, 2000)) };
    const route = random.pick(paths);
    const method = random.chance(0.6) ? fitting(route) : random.pick(methods);
    const body = this.#body(method);
    const lines = [
      `${method} ${this.#path(route)}${this.#query()} ${this.#version()}`,
      ...this.#headers(body),
    ];
    const head = `${lines.join(random.chance(0.01) ? '\n' : '\r\n')}\r\n\r\n`;
    const cut = random.chance(0.02) ? random.integer(0, head.length) : head.length;
    return { method, bytes: Buffer.concat([Buffer.from(head.slice(0, cut), 'latin1'), Buffer.from(body)]) };
  }

  #path(route: string): string {
    const random = this.#random;
    const path = route.replace('{name}', () => this.#name());
    switch (random.weighted({ right: 60, climbing: 12, bent: 14, long: 2, absolute: 4, odd: 8 })) {
      case 'right':
        return path;
      case 'climbing': {
        const steps = Array.from({ length: random.integer(1, 8) }, () => random.pick(climbs)).join('');
        return `${random.pick(['/', '/app.js/', '/api/v1/', '/api/v1/ups/'])}${steps}etc/passwd`;
      }
      case 'bent': {
        const at = random.integer(0, path.length);
        return `${path.slice(0, at)}${random.pick(['/', '//', '%', '%2f', '%00', '?', '#', ';', '\\', '\t', '~', '%e2%80%ae'])}${path.slice(at)}`;
      }
      case 'long':
        return `${path}${'x'.repeat(random.integer(100, 20_000))}`;
      case 'absolute':
        return `${random.pick(['http://localhost', 'https://evil.example', 'ftp://x', 'file://'])}${path}`;
      case 'odd':
        return random.pick([
          '*',
          '',
          'localhost:80',
          '//',
          '/%',
          '/..',
          'x',
          '/\u00ff\u00fe',
          '/{name}',
          '/:name',
        ]);
    }
  }

  #name(): string {
    const right = this.#target.ups;
    return this.#random.pick([
      right,
      right,
      encodeURIComponent(right),
      'nobody',
      '..',
      '%2e%2e',
      '__proto__',
      'x'.repeat(300),
      '%00',
      '%ff',
    ]);
  }

  #query(): string {
    const random = this.#random;
    if (random.chance(0.7)) return '';
    const pairs = Array.from(
      { length: random.integer(1, 5) },
      () =>
        `${random.pick(parameters)}=${random.chance(0.5) ? random.pick(oddValues) : String(random.integer(-5, 20_000))}`,
    );
    return `?${pairs.join('&')}`;
  }

  #version(): string {
    return this.#random.chance(0.96)
      ? 'HTTP/1.1'
      : this.#random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.9', 'XTTP/1.1', '']);
  }

  #headers(body: string): readonly string[] {
    const random = this.#random;
    const headers: string[] = [];
    if (random.chance(0.9)) headers.push('Host: localhost');
    else
      headers.push(
        ...random.pick([
          [],
          ['Host:'],
          ['Host: evil.example'],
          ['Host: localhost', 'Host: localhost'],
          ['Host: [::1]:1'],
          ['Host: \u00fc'],
          ['Host: 127.0.0.1:x'],
        ]),
      );
    if (random.chance(0.4)) headers.push(`X-API-Key: ${this.#target.key}`);
    if (random.chance(0.1))
      headers.push(
        `Authorization: ${random.pick(['Bearer x', 'Bearer', 'Basic eDp4', `bearer ${'k'.repeat(200)}`, 'Bearer \u00e9'])}`,
      );
    if (body !== '') headers.push(...this.#lengthOf(body));
    if (random.chance(0.1))
      headers.push(
        random.pick([
          'Connection: close',
          'Connection: upgrade\r\nUpgrade: websocket',
          'Expect: 100-continue',
          'Expect: x',
          'Accept-Encoding: br, gzip',
          'If-None-Match: *',
          'Content-Encoding: gzip',
          'Content-Type: multipart/form-data; boundary=x',
          'Range: bytes=0-1',
          'X: y\r\n folded',
          ': empty',
          'A'.repeat(300),
          `X: ${'y'.repeat(random.integer(10, 20_000))}`,
        ]),
      );
    if (random.chance(0.02))
      headers.push(...Array.from({ length: 500 }, (_, index) => `X-${String(index)}: ${String(index)}`));
    return headers;
  }

  #lengthOf(body: string): readonly string[] {
    const length = Buffer.byteLength(body);
    switch (this.#random.weighted({ right: 80, wrong: 8, chunked: 8, both: 2, none: 2 })) {
      case 'right':
        return [`Content-Length: ${String(length)}`];
      case 'wrong':
        return [
          `Content-Length: ${this.#random.pick(['-1', '0', '1', '99999999999', 'x', String(length + 10), '1, 2'])}`,
        ];
      case 'chunked':
        return ['Transfer-Encoding: chunked'];
      case 'both':
        return ['Transfer-Encoding: chunked', `Content-Length: ${String(length)}`];
      case 'none':
        return [];
    }
  }

  #body(method: string): string {
    const random = this.#random;
    if (method === 'GET' ? random.chance(0.98) : random.chance(0.3)) return '';
    if (random.chance(0.02)) return '['.repeat(random.integer(1000, 100_000));
    if (random.chance(0.01)) return `{"value":"${'x'.repeat(random.integer(1000, 400_000))}"}`;
    if (random.chance(0.1))
      return `${random.pick(['5\r\nabcde\r\n0\r\n\r\n', 'x\r\n', '0\r\n\r\n', 'fffffff\r\nx'])}`;
    return random.pick(bodies);
  }

  #garbage(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#random.integer(0, 255)));
  }
}
