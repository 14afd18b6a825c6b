// What a page and a message show of an event type, without the table of events.ts: its words, and the tier of its category.
import type { EventCategory } from './events.js';

const abbreviations = new Set(['FSD', 'AVR', 'NUT', 'SSH', 'UPS']);

/** `ON_BATTERY` as `On battery`, `FSD_DETECTED` as `FSD detected`. */
export function eventInWords(type: string): string {
  const words = type.split('_').map((word) => (abbreviations.has(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The lowest verbosity at which a category is shown: 0 power and shutdown, 1 diagnostics, 2 everything. */
export function tierOf(category: EventCategory): 0 | 1 | 2 {
  if (category === 'power_event' || category === 'shutdown') return 0;
  return category === 'diagnostics' ? 1 : 2;
}
