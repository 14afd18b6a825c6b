// [[redundancy_groups]]: several UPSes that feed the same load. The load is shut down when too few of them are healthy.
import * as t from 'io-ts';
import { oneOf } from '../../../shared/domain/base/units.js';
import { optional, required, rows, table } from './key.js';
import { localResourceKeys } from './local-resources.js';
import { remoteServerKeys } from './remote-server.js';
import { triggerKeys } from './triggers.js';
import { count, filledLine, listUpTo } from './values.js';

export const redundancyGroupKeys = {
  name: required(filledLine(128)),
  ups_sources: required(listUpTo(100, filledLine(256), 'a list of names of [[ups]]')),
  min_healthy: optional(count(1, 100), 1),
  degraded_counts_as: optional(oneOf('healthy', 'critical'), 'healthy'),
  unknown_counts_as: optional(oneOf('critical', 'degraded', 'healthy'), 'critical'),
  is_local: optional(t.boolean, false),
  triggers: table(triggerKeys),
  remote_servers: rows(remoteServerKeys, 100),
  ...localResourceKeys,
};
