import { expect } from 'chai';
import type { ApiUnderTest } from '../fixture.js';
import { publishedApi } from '../fixture.js';
import { ask } from '../raw.js';
import { checkDescribed } from './described.js';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly responses: Readonly<Record<string, object>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

describe('the OpenAPI description', () => {
  let api: ApiUnderTest;
  let document: Document;
  beforeEach(async () => {
    api = await publishedApi();
    document = JSON.parse((await ask(api, '/api/v1/openapi.json')).body) as Document;
  });
  afterEach(() => api.end());

  const operations = (): readonly (readonly [string, Operation])[] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
      ),
    );

  it('has version 3.1 and the version of this build', () => {
    expect([document.openapi, document.info.version]).to.deep.equal(['3.1.0', '9.8.7']);
  });

  it('describes exactly the routes of the index', async () => {
    const { endpoints } = JSON.parse((await ask(api, '/api/v1')).body) as {
      endpoints: { method: string; path: string }[];
    };
    expect(operations().map(([name]) => name)).to.have.members(
      endpoints.map(({ method, path }) => `${method} ${path}`),
    );
  });

  it('names every operation once, and every parameter of its path', () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const [name, { parameters }] of operations()) {
      const inPath = parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect(inPath, name).to.deep.equal([...name.matchAll(/\{(\w+)\}/g)].map(([, word]) => word));
    }
  });

  it('has no dangling reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).to.be.greaterThan(10);
    for (const [, name] of references) expect(document.components.schemas).to.have.property(name ?? '');
  });

  it('states the ranges of the parameters, and the required access', () => {
    const events = document.paths['/api/v1/events']?.['get'];
    expect(events?.parameters.find(({ name }) => name === 'limit')?.schema).to.deep.equal({
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
    });
    expect(document.paths['/health']?.['get']?.security).to.deep.equal([]);
    expect(events?.security).to.deep.equal([{}, { bearer: [] }, { apiKey: [] }]);
  });

  it('detects an answer that lacks a field or has another status', () => {
    const answer = (status: number, body: object) => ({
      status,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    });
    const error = { error: { code: 'NOT_FOUND', message: 'no' } };
    checkDescribed('GET', '/health', answer(200, { status: 'ok', generatedAt: 1 }));
    checkDescribed('GET', '/api/v1/ups/x', answer(404, error));
    expect(() => checkDescribed('GET', '/health', answer(200, { status: 'ok' }))).to.throw('generatedAt');
    expect(() => checkDescribed('GET', '/api/v1/ups/x', answer(404, { error: 'no' }))).to.throw('error');
    expect(() => checkDescribed('GET', '/api/v1/ups', answer(200, error))).to.throw('not as described');
  });
});
