// Types of prom-client's process metrics, each in its own file. collectDefaultMetrics would also start the event-loop and
// garbage-collector monitors of nodejs_*, which wake an idle process a hundred times a second.
declare module 'prom-client/lib/metrics/*.js' {
  import type { Registry } from 'prom-client';
  function collect(registry: Registry, options: { readonly prefix: string }): void;
  export = collect;
}

/** The registry alone: the package's own entry also loads clients for TLS and a cluster. */
declare module 'prom-client/lib/registry.js' {
  import { Registry } from 'prom-client';
  export = Registry;
}
