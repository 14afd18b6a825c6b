// The sections of the configuration that one worker alone uses.

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

export interface MetricsConfiguration {
  readonly enabled: boolean;
  /** Without the `_` after it. */
  readonly prefix: string;
  /** Also the family `network_ups_tools_*` of nut_exporter. */
  readonly nutExporterNames: boolean;
}

export interface HeartbeatConfiguration {
  /** A secret; null while it is off. */
  readonly url: string | null;
  readonly everyMs: number;
  /** While every UPS is read; `ready`: and every server could be shut down. */
  readonly when: 'alive' | 'ready';
}
