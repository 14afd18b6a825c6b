// [api], [api.auth] and [prometheus]: the HTTP interface and its authentication.
import * as t from 'io-ts';
import { optional, table } from './key.js';
import { absolutePath, count, dnsName, ipAddress, listUpTo, port } from './values.js';

export const apiKeys = {
  enabled: optional(t.boolean, false),
  bind: optional(ipAddress, '127.0.0.1'),
  port: optional(port, 9191),
  allowed_hosts: optional(listUpTo(100, dnsName), []),
  auth: table({
    enabled: optional(t.boolean, null),
    require_for_reads: optional(t.boolean, false),
    session_ttl: optional(count(1, 365 * 86_400, 'seconds'), 3600),
    db_path: optional(absolutePath, '/var/lib/ridethrough/auth.db'),
  }),
};

export const prometheusKeys = { enabled: optional(t.boolean, true) };
