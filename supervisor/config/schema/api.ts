// [api], [api.auth] and [prometheus]: the HTTP interface and its authentication, in the file and as the program uses them.
import * as t from 'io-ts';
import type { WithDefaults } from './key.js';
import { optional, table } from './key.js';
import { absolutePath, count, dnsName, ipAddress, listUpTo, network, textThat } from './values.js';

/** A path that begins like one of the API would hide it. */
const ownPath = /^\/(?:api|health|ready|metrics|control|app\.js|style\.css|icon\.svg)(?:\/|$)/;
const basePath = textThat(
  'a path such as "/ups" without "/" at its end (words of letters, digits, "-", "_", "~" and "."), not one of the API itself, or ""',
  (text) =>
    text === '' ||
    (text.length <= 200 && /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(text) && !ownPath.test(text)),
);
const metricPrefix = textThat(
  'a letter, then letters, digits and "_", without "_" at its end; at most 40 characters; not "network_ups_tools"',
  (text) => text !== 'network_ups_tools' && /^[A-Za-z](?:[A-Za-z0-9_]{0,38}[A-Za-z0-9])?$/.test(text),
);

export const apiKeys = {
  enabled: optional(t.boolean, false),
  bind: optional(ipAddress, '127.0.0.1'),
  /** 0: the system chooses one at each start of the API worker. */
  port: optional(count(0, 65535), 9191),
  allowed_hosts: optional(listUpTo(100, dnsName), []),
  base_path: optional(basePath, ''),
  trusted_proxies: optional(listUpTo(100, network), []),
  auth: table({
    enabled: optional(t.boolean, null),
    require_for_reads: optional(t.boolean, false),
    session_ttl: optional(count(1, 365 * 86_400, 'seconds'), 3600),
    db_path: optional(absolutePath, '/var/lib/ridethrough/auth.db'),
  }),
};

export const prometheusKeys = {
  enabled: optional(t.boolean, true),
  prefix: optional(metricPrefix, 'svc'),
  nut_exporter_names: optional(t.boolean, false),
};

export interface ApiConfiguration {
  readonly enabled: boolean;
  readonly bind: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  /** `/ups`, or empty: where the API is served besides `/`. */
  readonly basePath: string;
  /** Addresses and ranges. */
  readonly trustedProxies: readonly string[];
  readonly auth: {
    /** Null: not set; authentication is on as soon as a user exists. */
    readonly enabled: boolean | null;
    readonly requireForReads: boolean;
    readonly sessionTtlSeconds: number;
    readonly dbPath: string;
  };
}

export function apiSettings({ auth, ...api }: WithDefaults<typeof apiKeys>): ApiConfiguration {
  return {
    enabled: api.enabled,
    bind: api.bind,
    port: api.port,
    allowedHosts: api.allowed_hosts,
    basePath: api.base_path,
    trustedProxies: api.trusted_proxies,
    auth: {
      enabled: auth.enabled,
      requireForReads: auth.require_for_reads,
      sessionTtlSeconds: auth.session_ttl,
      dbPath: auth.db_path,
    },
  };
}

export interface MetricsConfiguration {
  readonly enabled: boolean;
  /** Without the `_` after it. */
  readonly prefix: string;
  /** Also the family `network_ups_tools_*` of nut_exporter. */
  readonly nutExporterNames: boolean;
}

export function metricsSettings(section: WithDefaults<typeof prometheusKeys>): MetricsConfiguration {
  return {
    enabled: section.enabled,
    prefix: section.prefix,
    nutExporterNames: section.nut_exporter_names,
  };
}
