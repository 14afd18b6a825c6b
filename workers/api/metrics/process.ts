// The metrics of this process, as prom-client measures them. Loaded with the first scrape: 25 ms and 2 MB of a start.
import type { Counter } from 'prom-client';
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js';
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js';
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js';
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js';
import processStartTime from 'prom-client/lib/metrics/processStartTime.js';
import PromRegistry from 'prom-client/lib/registry.js';
import type { Family } from './family.js';
import { labelText } from './family.js';

/** What reads them. */
export function processFamilies(name: string): () => Promise<readonly Family[]> {
  const registry = new PromRegistry();
  const prefix = { prefix: `${name}_` };
  const { user, system } = process.cpuUsage();
  processCpuTotal(registry, prefix);
  // It counts from its registration; what the process used before is added.
  for (const [kind, micros] of [
    ['user_', user],
    ['system_', system],
    ['', user + system],
  ] as const) {
    const counter = registry.getSingleMetric(`${name}_process_cpu_${kind}seconds_total`) as Counter;
    counter.inc(micros / 1e6);
  }
  for (const register of [
    processStartTime,
    osMemoryHeap,
    processOpenFileDescriptors,
    processMaxFileDescriptors,
  ])
    register(registry, prefix);
  return async () =>
    (await registry.getMetricsAsJSON()).map(({ name: family, help, type, values }) => ({
      // Its types call this a number.
      ...{ name: family, help, type: String(type) },
      samples: () => values.map(({ labels, value }) => [labelText(labels as Record<string, string>), value]),
    }));
}
