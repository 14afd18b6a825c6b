// Composition root of the worker: the model, requests to the supervisor, the routes, the handlers, the two listeners. Owns what
// lives as long as the worker.
import { randomUUID } from 'node:crypto';
import type { ApiSettings, apiContract } from '../../shared/protocol/api.js';
import { oncePer } from '../../shared/runtime/period.js';
import type { WorkerBody, WorkerContext } from '../../shared/runtime/worker-main.js';
import { AccessControl, localGrant } from './auth/access.js';
import { Actions } from './auth/actions.js';
import { Audit } from './auth/audit.js';
import { AuthFile } from './auth/auth-store/store.js';
import { bodyParser } from './http/body.js';
import { warnOfExposure } from './auth/exposure.js';
import { requestHandler } from './request/handler.js';
import { History } from './history/history.js';
import type { Limits } from './http/limits.js';
import { defaultLimits } from './http/limits.js';
import { Listener } from './transport/listener.js';
import { Login } from './auth/login/login.js';
import { Metrics } from './metrics/registry.js';
import { Model } from './model/model.js';
import { socketEndpoint, tcpEndpoint } from './transport/endpoints.js';
import { commandSender, supervisorReads } from './model/supervisor-requests.js';
import { controlRoutes } from './routes/control.js';
import { composedReport } from './routes/reports.js';
import type { RouteContext } from './routes/route-context.js';
import { tcpRoutes } from './routes/table.js';
import { openServer } from './request/server.js';
import { Sessions } from './auth/sessions.js';
import { staticRoutes } from './routes/static.js';
import { Streams } from './stream/streams.js';
import { TrustedProxies } from './http/trusted-proxies.js';

type Context = WorkerContext<typeof apiContract>;

/** Resolves once both listeners have been tried; one that cannot be opened is retried and blocks nothing else. */
export async function startApi(
  initial: ApiSettings,
  context: Context,
  limits: Limits = defaultLimits,
): Promise<WorkerBody<typeof apiContract>> {
  const { log, clock } = context;
  let settings = initial;
  const model = new Model();
  const history = new History(settings.statistics);
  const streams = new Streams({
    model,
    clock,
    max: limits.streams,
    showsEvents: () => settings.statistics.enabled,
  });
  const audit = new Audit(clock, (record) => context.emit('audit.recorded', record));
  let authStore = new AuthFile(settings.auth.dbPath);
  const access = new AccessControl({
    settings: () => settings.auth,
    store: () => authStore,
    sessions: new Sessions(clock),
    clock,
    log,
  });
  const login = new Login(access, audit, clock);
  const routeContext: RouteContext = {
    version: settings.version,
    clock,
    model,
    supervisor: supervisorReads(context, limits),
    sendCommand: commandSender(context, limits),
    history,
    streams,
    settings: () => settings,
    address: () => port.address,
    access,
    login,
    audit,
  };
  const metrics = new Metrics(routeContext);
  const forBoth = {
    proxies: new TrustedProxies(() => settings.trustedProxies),
    limits,
    log,
    answered: metrics.answered.bind(metrics),
  };
  const tcp = requestHandler({
    ...forBoth,
    basePath: () => settings.basePath,
    routes: tcpRoutes(routeContext, [metrics.route(), ...staticRoutes(log)]),
    allowedHosts: () => settings.allowedHosts,
    authorize: (route, rawHeaders) => {
      const grant = access.authorize(route, rawHeaders);
      if (model.daemon !== null || route.auth === 'open') return grant;
      return Promise.all([grant, model.published(limits.publishMs)]).then(([granted]) => granted);
    },
    actions: new Actions({ audit, clock, groupOf: (name) => model.find(name)?.row.groupId }),
  });
  const local = requestHandler({
    ...forBoth,
    basePath: () => '',
    routes: controlRoutes(routeContext),
    allowedHosts: null,
    authorize: () => localGrant,
    actions: null,
  });

  const port = new Listener(
    () => openServer(tcp, limits.connections, limits),
    limits,
    (address, error) => {
      context.emit('api.listening', { address, error });
      if (error === null) void warnOfExposure(address, () => access.state(), log);
    },
  );
  const socket = new Listener(
    () => openServer(local, limits.controlConnections, limits),
    limits,
    (path, error) => {
      if (error === null) log.debug(`the control socket is open at ${path}`);
      else
        log.error(`${error} Until then, ridethrough status and the other commands cannot reach the daemon.`);
    },
  );

  function listen(): Promise<unknown> {
    const { listen: at, controlSocket } = settings;
    return Promise.all([
      port.move(at === null ? null : tcpEndpoint(at.bind, at.port)),
      socket.move(socketEndpoint(controlSocket)),
    ]);
  }

  // Loading blocks the event loop, so it happens before the first request.
  if (settings.listen !== null && (await access.state()) !== 'off')
    await Promise.all([bodyParser(), login.prepare()]);
  await listen();
  let reconfigured: Promise<unknown> = Promise.resolve();
  const endCounting = sendCounts(audit, context, limits);
  return {
    requests: {
      'model.publish': (change) => {
        if (model.apply(change)) {
          streams.published(change);
          return Promise.resolve({ ok: true, value: {} });
        }
        const message = 'this copy lacks a row: publish it whole';
        return Promise.resolve({ ok: false, error: { code: 'MODEL_INCOMPLETE', message } });
      },
      // The history has its own deadline.
      'report.compose': (order) => composedReport(routeContext, order, new AbortController().signal),
    },
    reconfigure: (changed) => {
      if (changed.auth.dbPath !== settings.auth.dbPath) {
        void authStore.close();
        authStore = new AuthFile(changed.auth.dbPath);
      }
      settings = changed;
      history.configure(changed.statistics);
      reconfigured = reconfigured.then(listen);
    },
    drain: async () => {
      await reconfigured;
      streams.close();
      await Promise.all([
        port.move(null),
        socket.move(null),
        history.close(),
        authStore.close(),
        login.close(),
      ]);
      // No request is answered after this point: these are the last rows.
      endCounting();
    },
  };
}

/** Sends the counts of the audit as they change. Returns the function that sends the last ones. */
function sendCounts(audit: Audit, context: Context, { auditMs }: Limits): () => void {
  const instance = randomUUID();
  let lastSent = '';
  const send = (): void => {
    const { counts } = audit;
    const text = JSON.stringify(counts);
    if (text !== lastSent) context.emit('audit.counted', { instance, counts: [...counts] });
    lastSent = text;
  };
  send();
  const stop = oncePer(auditMs, () => {
    audit.tick();
    send();
  });
  return () => {
    stop();
    audit.flush();
    send();
  };
}
