// Formats a notification for its reader: title, event, meaning, remedy, and the time with its zone.
import type { Notification } from '../../shared/domain/notification.js';

export interface Message {
  readonly id: string;
  readonly title: string;
  /** The event, its meaning and the remedy. */
  readonly text: string;
  /** The same as a page. */
  readonly html?: string;
  /** `2026-11-21 16:54:03 +01:00 (Europe/Berlin)` */
  readonly time: string;
  /** Text and time together. */
  readonly body: string;
  /** Unix seconds. */
  readonly at: number;
  readonly type: string;
  readonly source: string;
  readonly urgent: boolean;
}

/** Abbreviations that stay in upper case. */
const abbreviations = new Set(['FSD', 'AVR', 'NUT', 'SSH', 'UPS']);
/** A message later than this says so. */
const lateSeconds = 60;

/** `name`: the configured title, or the host name. `nowSeconds` decides whether the message is late. */
export function messageOf(notification: Notification, name: string, nowSeconds: number): Message {
  const { id, at, type, source, urgent, text, html } = notification;
  const time = timeInWords(at);
  const late = nowSeconds - at > lateSeconds ? ' This message could not be delivered earlier.' : '';
  return {
    id,
    title: `${name}: ${headline(type)}`,
    text,
    ...(html === undefined ? {} : { html }),
    time,
    body: `${text}\n${time}.${late}`,
    at,
    type,
    source,
    urgent,
  };
}

/** `ON_BATTERY` as `On battery`, `FSD_DETECTED` as `FSD detected`. */
export function headline(type: string): string {
  const words = type.split('_').map((word) => (abbreviations.has(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Local time with its offset, because a message is read on another machine, maybe a day later. */
export function timeInWords(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const east = -date.getTimezoneOffset();
  const offset = `${east < 0 ? '-' : '+'}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
  return `${day} ${clock} ${offset} (${new Intl.DateTimeFormat().resolvedOptions().timeZone})`;
}
