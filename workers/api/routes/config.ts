// GET /api/v1/config: the configuration summary, sanitized for anonymous callers. No secret reaches this process.
import type { ConfigSummary, ShownServer } from '../../../shared/domain/status/config-summary.js';
import { ConfigBody } from '../../../shared/http/config-body.js';
import type { RouteContext } from './route-context.js';
import type { Route } from '../http/route.js';
import { json } from '../http/route.js';

export function configRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/config',
      description:
        'Summary of the configuration, without secrets; a request with a credential gets more fields.',
      auth: 'read',
      gives: ConfigBody,
      answer: async ({ principal }) => json(await configBody(context, principal !== 'anonymous')),
    },
  ];
}

export async function configBody(context: RouteContext, extended: boolean): Promise<ConfigBody> {
  const { summary, listen, allowedHosts, basePath, trustedProxies } = context.settings();
  return {
    detail: extended ? 'extended' : 'sanitized',
    ...(extended ? summary : publicSummary(summary)),
    api: {
      enabled: listen !== null,
      bind: listen?.bind ?? '',
      port: listen?.port ?? 0,
      allowedHosts,
      basePath,
      trustedProxies,
      auth: await context.access.shown(),
    },
  };
}

/** Copies named values one by one: a new field of the extended summary does not appear here automatically. */
function publicSummary(summary: ConfigSummary): ConfigSummary {
  return {
    ...summary,
    ups: summary.ups.map(({ groupId, name, label, isLocal, transport, triggers, remoteServers }) => ({
      groupId,
      name,
      label,
      isLocal,
      transport,
      triggers,
      remoteServers: remoteServers.map(sanitizedServer),
    })),
    redundancyGroups: summary.redundancyGroups.map((group) => ({
      ...group,
      remoteServers: group.remoteServers.map(sanitizedServer),
    })),
    nutControl: { enabled: summary.nutControl.enabled },
  };
}

function sanitizedServer(server: ShownServer): ShownServer {
  const { name, host, enabled, shutdownOrder, hasPreShutdownCommands, hasSshKey } = server;
  return { name, host, enabled, shutdownOrder, hasPreShutdownCommands, hasSshKey };
}
