// Checks every JSON answer of a test against the OpenAPI description of the API.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { documentOf } from '../../../../workers/api/openapi/document.js';
import type { RouteContext } from '../../../../workers/api/routes/route-context.js';
import { tcpRoutes } from '../../../../workers/api/routes/table.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

// The description of a route does not depend on its position.
const document = documentOf(tcpRoutes({ version: '1' } as RouteContext, []), '1') as Described;
const templates = Object.keys(document.paths).map(
  (path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)] as const,
);
// Compiling costs more than the answers of a test.
const judge = new Ajv2020({ allErrors: true, inlineRefs: false, code: { optimize: false } });
judge.addVocabulary(['openapi', 'info', 'paths', 'components']);
judge.addSchema(document, 'api');

/** Throws when an answer differs from its description. Ignores answers without JSON and unknown paths. */
export function checkDescribed(method: string, target: string, { status, headers, body }: Answer): void {
  if (headers['content-type']?.startsWith('application/json') !== true || method === 'HEAD') return;
  const path = target.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/s, '');
  const template =
    document.paths[path] === undefined ? templates.find(([, fits]) => fits.test(path))?.[0] : path;
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  const name = Object.hasOwn(operation?.responses ?? {}, String(status)) ? String(status) : 'default';
  const pointer =
    template === undefined || operation === undefined
      ? '/components/schemas/ErrorBody'
      : `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${name}/content/application~1json/schema`;
  const validate = judge.getSchema(`api#${pointer}`);
  if (validate === undefined) throw new Error(`${method} ${target}: nothing is described at ${pointer}`);
  if (validate(JSON.parse(body)) !== true)
    throw new Error(
      `${method} ${target} ${String(status)} is not as described: ${judge.errorsText(validate.errors)}\n${body.slice(0, 2000)}`,
    );
}

function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
}
