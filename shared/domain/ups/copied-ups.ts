// A UPS that dummy-ups copies from another NUT server (its mode "repeater"). Pure.
import type { Variables } from './reading.js';

/**
 * What may go wrong with such a copy; empty for any other UPS. dummy-ups 2.8.0, tried: when it loses that server, or that server
 * its driver, it shows the last values for ever, and no poll fails.
 */
export function copyWarning(variables: Variables): string {
  const port = variables['driver.parameter.port'] ?? '';
  const mode = variables['driver.parameter.mode'] ?? 'repeater';
  if (variables['driver.name'] !== 'dummy-ups' || mode !== 'repeater' || !port.includes('@')) return '';
  return (
    `dummy-ups copies it from ${port.slice(0, 256)}, and may show the last values for ever when it loses that server: ` +
    'an outage would not be seen; name that server in this configuration'
  );
}
