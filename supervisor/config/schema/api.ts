// [api], [api.auth] and [prometheus]: the HTTP interface and its authentication.
import { count, inSeconds, key, onOff, shown, table } from '../../../shared/domain/base/keys.js';
import { absolutePath, dnsName, ipAddress, listUpTo, network, textThat } from './values.js';

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
  enabled: onOff(false),
  bind: key(ipAddress, '127.0.0.1'),
  /** 0: the system chooses one at each start of the API worker. */
  port: count(0, 65535, 9191),
  allowed_hosts: key(listUpTo(100, dnsName), []),
  /** `/ups`, or empty: where the API is served besides `/`. */
  base_path: key(basePath, ''),
  /** Addresses and ranges. */
  trusted_proxies: key(listUpTo(100, network), []),
  auth: table({
    enabled: onOff(null),
    require_for_reads: onOff(false),
    session_ttl: inSeconds(count(1, 365 * 86_400, 3600, 'seconds')),
    db_path: key(absolutePath, '/var/lib/ridethrough/auth.db'),
  }),
};

export const prometheusKeys = {
  enabled: shown(onOff(true)),
  /** Without the `_` after it. */
  prefix: shown(key(metricPrefix, 'svc')),
  /** Also the family `network_ups_tools_*` of nut_exporter. */
  nut_exporter_names: shown(onOff(false)),
};
