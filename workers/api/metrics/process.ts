// The metrics of this process, from prom-client. Loaded with the first scrape.
import type { Counter, Registry } from 'prom-client';
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js';
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js';
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js';
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js';
import processStartTime from 'prom-client/lib/metrics/processStartTime.js';
import PromRegistry from 'prom-client/lib/registry.js';

/** A registry with these metrics. */
export function processRegistry(name: string): Registry {
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
  return registry;
}
