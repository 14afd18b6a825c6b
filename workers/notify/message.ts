// Formats a notification for its reader: title, event, meaning, remedy, and the time with its zone.
import { durationInWords } from '../../shared/domain/base/duration.js';
import type { TemplateValues } from '../../shared/domain/base/message-template.js';
import { fillTemplate } from '../../shared/domain/base/message-template.js';
import { eventInWords } from '../../shared/domain/status/event-names.js';
import type { Notification } from '../../shared/domain/services/notification.js';
import { truncate } from '../../shared/domain/base/truncate.js';
import type { NotifySettings, ServiceSettings } from '../../shared/protocol/notify.js';

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

/** As ntfy and Pushover cut it. */
const maxTitleLength = 250;
/** A message later than this says so. */
const toldSeconds = 60;

/** How a service wants its messages. */
export interface MessageForm {
  /** `notifications.title`, or the name of this host. */
  readonly host: string;
  readonly sources: NotifySettings['sources'];
  readonly rules: Pick<ServiceSettings, 'title' | 'body'>;
}

/**
 * `lateSeconds`: how long ago it was written, whatever the wall clock was set to since; null where that hides it. `now`: Unix
 * seconds of the clock as it is set.
 */
export function messageOf(
  notification: Notification,
  form: MessageForm,
  lateSeconds: number | null,
  now: number,
): Message {
  const { id, at, type, source, urgent, text, html } = notification;
  const { host, sources, rules } = form;
  const time = timeInWords(at);
  const late = lateText(lateSeconds) + setText(at, lateSeconds, now);
  const of = sources.find(({ groupId }) => groupId === source);
  const values: TemplateValues = {
    host,
    event: type,
    headline: eventInWords(type),
    ups: of?.name ?? source,
    label: of?.label ?? source,
    text,
    time,
  };
  const own = (template: string, usual: string): string =>
    template === '' ? usual : fillTemplate(template, values);
  return {
    id,
    // A value of a template may be long and have several lines.
    title: truncate(own(rules.title, `${host}: ${values.headline}`).replaceAll(/\s+/g, ' '), maxTitleLength),
    text: own(rules.body, text),
    // A page has no place in a text of the operator's form.
    ...(html === undefined || rules.body !== '' ? {} : { html }),
    time,
    body: own(rules.body, `${text}\n${time}.${late}`),
    at,
    type,
    source,
    urgent,
  };
}

function lateText(seconds: number | null): string {
  if (seconds === null)
    return ' It was sent later. How much later is not known: the clock of this host was set meanwhile, so this date may be wrong.';
  return seconds > toldSeconds ? ` It was sent ${durationInWords(seconds)} later.` : '';
}

/** The date that it would have by the clock as it is set now, where that differs. */
function setText(at: number, lateSeconds: number | null, now: number): string {
  const written = now - (lateSeconds ?? 0);
  return lateSeconds === null || Math.abs(written - at) <= toldSeconds
    ? ''
    : ` The clock of this host was set meanwhile: by it, that was at ${timeInWords(written)}.`;
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
