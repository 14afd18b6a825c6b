// [[notifications.services]]: a service with rules of its own.
import * as t from 'io-ts';
import type { Checked } from '../../../shared/domain/base/checked.js';
import { count, duration, inMs, key, required } from '../../../shared/domain/base/keys.js';
import { EventType, eventTypes, isSafetyEvent, isSent } from '../../../shared/domain/status/events.js';
import { templateNames, unknownPlaceholder } from '../../../shared/domain/base/message-template.js';
import { ReportType, reportTypes } from '../../../shared/domain/services/notification.js';
import { timeSpan } from '../../../shared/domain/base/time-span.js';
import { typeName } from './event-name.js';
import { secret, secretHeaders, secretSource } from './secret.js';
import { isKey, secretsOfService, serviceFault } from './service-url.js';
import { filledLine, listUpTo, textThat } from './values.js';

export const suppressible = typeName(EventType, eventTypes, (type) =>
  isSafetyEvent(type) ? `${type} is a safety event and cannot be suppressed` : undefined,
);

const chosen = typeName<EventType | ReportType>(
  t.union([EventType, ReportType]),
  [...eventTypes, ...reportTypes],
  (type) => (EventType.is(type) && !isSent(type) ? `no message is sent for ${type}` : undefined),
);

const quiet = textThat(
  'a span of the day such as "23:00-06:30", or ""',
  (text) => text === '' || timeSpan(text) !== undefined,
);

/** 0, or at least a minute: a shorter one would only fill a telephone. */
const period = (max: number): Checked<number> => ({
  name: `0, or 60 to ${String(max)} seconds`,
  is: (u): u is number => typeof u === 'number' && (u === 0 || (u >= 60 && u <= max)),
});

function template(max: number, allowed: RegExp): t.Type<string> {
  const name = `text of at most ${String(max)} characters with the placeholders ${templateNames.map((one) => `{${one}}`).join(', ')}`;
  return textThat(
    name,
    (text) => text.length <= max && allowed.test(text) && unknownPlaceholder(text) === undefined,
  );
}

export const serviceRules = {
  faultOf: serviceFault,
  hides: (url: string) => [url, ...secretsOfService(url)],
};

export const notificationServiceKeys = {
  url: secret(required(secretSource), serviceRules),
  verbosity: count(0, 2, 2),
  events: key(listUpTo(200, chosen), []),
  ups: key(listUpTo(1100, filledLine(256)), []),
  after: duration(0, 300, 0),
  digest: inMs(key(period(86_400), 0)),
  quiet: key(quiet, ''),
  repeat: inMs(key(period(604_800), 0)),
  title: key(template(200, /^[^\p{Cc}]*$/u), ''),
  body: key(template(2000, /^[^\p{Cc}]*(?:\n[^\p{Cc}]*)*$/u), ''),
  // A priority or a tag in the file is no secret.
  headers: secret(key(secretHeaders, {}), {
    several: true,
    hides: (text, isLiteral) => (isLiteral && !isKey(text) ? [] : [text]),
  }),
};
