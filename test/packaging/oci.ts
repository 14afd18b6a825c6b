// What the image is built from and run with, as its tests read it.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A file that `scripts/package.sh oci` lays out. */
export const shipped = (name: string): string =>
  readFileSync(new URL(`../../../scripts/packaging/oci/${name}`, import.meta.url), 'utf8');

interface Compose {
  readonly services: {
    readonly ridethrough: {
      readonly image: string;
      readonly user: string;
      readonly init: boolean;
      readonly read_only: boolean;
      readonly cap_drop: readonly string[];
      readonly security_opt: readonly string[];
      readonly tmpfs: readonly string[];
      readonly volumes: readonly string[];
      readonly ports: readonly string[];
      readonly mem_limit: string;
      readonly pids_limit: number;
      readonly stop_grace_period: string;
    };
  };
}

export const compose = (parse(shipped('compose.yaml')) as Compose).services.ridethrough;
export const graceMinutes = Number(/^(\d+)m$/.exec(compose.stop_grace_period)?.[1]);
