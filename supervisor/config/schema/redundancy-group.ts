// [[redundancy_groups]]: several UPSes that feed the same load. The load is shut down when too few of them are healthy.
import { count, onOff, overriding, required, rows, shown, word } from '../../../shared/domain/base/keys.js';
import { localResourceKeys } from './local-resources.js';
import { remoteServerKeys } from './remote-server.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import { filledLine, listUpTo } from './values.js';

export const redundancyGroupKeys = {
  name: shown(required(filledLine(128))),
  ups_sources: shown(required(listUpTo(100, filledLine(256), 'a list of names of [[ups]]'))),
  min_healthy: shown(count(1, 100, 1)),
  degraded_counts_as: shown(word(['healthy', 'critical'], 'healthy')),
  unknown_counts_as: shown(word(['critical', 'degraded', 'healthy'], 'critical')),
  is_local: shown(onOff(false)),
  triggers: overriding(triggerKeys),
  remote_servers: rows(remoteServerKeys, 100),
  ...localResourceKeys,
};
