// Codec of GET /api/v1/config (specification/api-writes.md#configuration-summary).
import * as t from 'io-ts';
import { ConfigSummary } from '../domain/status/config-summary.js';
import { finite, oneOf } from '../domain/base/units.js';

export const ConfigBody = t.intersection(
  [
    t.type({
      detail: oneOf('sanitized', 'extended'),
      api: t.type({
        enabled: t.boolean,
        bind: t.string,
        port: finite,
        allowedHosts: t.readonlyArray(t.string),
        basePath: t.string,
        trustedProxies: t.readonlyArray(t.string),
        auth: t.type({ enabled: t.boolean, requireForReads: t.boolean }),
      }),
    }),
    ConfigSummary,
  ],
  'ConfigBody',
);
export type ConfigBody = t.TypeOf<typeof ConfigBody>;
