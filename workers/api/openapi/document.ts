// The OpenAPI 3.1 description of the API, generated from the table of routes and the codecs of requests and answers.
import { errorStatus, ErrorBody } from '../../../shared/http/errors.js';
import type { ErrorCode } from '../../../shared/http/errors.js';
import type { Route } from '../http/route.js';
import { roleFor } from '../http/route.js';
import { Schemas } from './schema.js';

type Responses = Record<string, object>;

export function documentOf(routes: readonly Route[], version: string, basePath = ''): object {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, schemas),
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ridethrough',
      version,
      description:
        'Monitors UPSes and shuts machines down in order before the battery is empty. No request of this API can start, stop or cancel a shutdown.',
    },
    ...(basePath === '' ? {} : { servers: [{ url: basePath }] }),
    paths,
    components: {
      schemas: { ...schemas.components },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A session token, or an API key.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}

function operationOf(route: Route, schemas: Schemas): object {
  return {
    summary: route.description,
    operationId: operationId(route),
    ...(roleFor(route) === null ? {} : { 'x-role': roleFor(route) }),
    security: { open: [], read: [{}, ...credentials], write: credentials }[route.auth],
    parameters: [...pathParameters(route), ...queryParameters(route, schemas)],
    ...requestBodyOf(route, schemas),
    responses: responsesOf(route, schemas),
  };
}

const credentials = [{ bearer: [] }, { apiKey: [] }];

/** `GET /api/v1/ups/{name}/history` is getApiV1UpsNameHistory. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const capitals = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${method.toLowerCase()}${capitals.join('') || 'Page'}`;
}

function pathParameters({ path }: Route): readonly object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: meanings[name] ?? '',
    schema: { type: 'string' },
  }));
}

const meanings: Readonly<Record<string, string>> = {
  name: 'The configured name of the UPS, its groupId, or another spelling of NAME@HOST[:PORT] and its identifier.',
  id: 'The number of the outage, from GET /api/v1/outages.',
  group: 'The name of the redundancy group, or its groupId.',
  var: 'A NUT variable, such as ups.delay.shutdown.',
};

function queryParameters({ query = {} }: Route, schemas: Schemas): readonly object[] {
  return Object.entries(query).map(([name, { takes, hint }]) => ({
    name,
    in: 'query',
    required: false,
    description: hint,
    schema: schemas.of(takes),
  }));
}

function requestBodyOf({ takes, takesBody }: Route, schemas: Schemas): object {
  if (takesBody === undefined) return {};
  const schema = takes === undefined ? { type: 'object' } : schemas.of(takes);
  return { requestBody: { required: takes !== undefined, content: { 'application/json': { schema } } } };
}

function responsesOf(route: Route, schemas: Schemas): Responses {
  const { gives, text = 'text/plain', alsoGives, formats = [] } = route;
  const written = { schema: { type: 'string' } };
  const content =
    gives === undefined
      ? { [text]: written }
      : {
          'application/json': { schema: schemas.of(gives) },
          ...Object.fromEntries(formats.map((format) => [format, written])),
        };
  const errors = { 'application/json': { schema: schemas.of(ErrorBody) } };
  const responses: Responses = { '200': { description: 'Done.', content } };
  for (const [status, codes] of errorsOf(route))
    responses[String(status)] = { description: codes.join(' or '), content: errors };
  if (alsoGives !== undefined) responses[String(alsoGives)] = { description: 'Not ready.', content };
  responses['default'] = { description: 'Any other error.', content: errors };
  return responses;
}

/** The errors that follow from the properties of the route, and those that it declares. */
function errorsOf(route: Route): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes: ErrorCode[] = ['MISDIRECTED_REQUEST', 'INTERNAL_ERROR'];
  if (route.auth !== 'open') codes.push('UNAUTHORIZED', 'FORBIDDEN');
  if (route.auth === 'write') codes.push('AUTH_UNAVAILABLE');
  if (route.action !== undefined) codes.push('TOO_MANY_ATTEMPTS');
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  if (route.query !== undefined) codes.push('INVALID_REQUEST');
  if (route.takesBody !== undefined) codes.push('INVALID_REQUEST', 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE');
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...codes, ...(route.fails ?? [])])) {
    const status = errorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
