// A span of the day in local time, such as "23:00-06:30". It may contain midnight.
import * as t from 'io-ts';
import { integerFrom } from './units.js';

const minute = integerFrom(0, 1439);

/** Minutes since midnight; `to` is outside. */
export const TimeSpan = t.readonly(t.type({ from: minute, to: minute }), 'TimeSpan');
export type TimeSpan = t.TypeOf<typeof TimeSpan>;

const form = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** Undefined for another form, and for a span without a length. */
export function timeSpan(text: string): TimeSpan | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = form.exec(text) ?? [];
  if (fromHour === undefined) return undefined;
  const span = {
    from: Number(fromHour) * 60 + Number(fromMinute),
    to: Number(toHour) * 60 + Number(toMinute),
  };
  return span.from === span.to ? undefined : span;
}

/** Whether the local clock shows a time in the span: at a change to or from summer time too, the clock on the wall decides. */
export function isWithin({ from, to }: TimeSpan, unixSeconds: number): boolean {
  const date = new Date(unixSeconds * 1000);
  const now = date.getHours() * 60 + date.getMinutes();
  return from < to ? now >= from && now < to : now >= from || now < to;
}
