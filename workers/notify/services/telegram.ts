// Interprets the errors of Telegram's Bot API: how long to wait, and whether bot and chat exist.
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/decode.js';
import { finite } from '../../../shared/domain/units.js';
import type { Refusal } from './http-post.js';
import { bounded, jsonOf } from './http-post.js';
import type { SendOutcome } from './outcome.js';
import { failed } from './outcome.js';

const Refused = t.intersection([
  t.type({ error_code: finite }),
  t.partial({ description: t.string, parameters: t.partial({ retry_after: finite }) }),
]);

/** Undefined where the status alone decides. */
export function telegramRefusal(refusal: Refusal): SendOutcome | undefined {
  const { status } = refusal;
  const decoded = decode(Refused, jsonOf(refusal));
  if (!decoded.ok) return undefined;
  const { description, parameters } = decoded.value;
  if (status === 429) {
    const pause = bounded((parameters?.retry_after ?? Number.NaN) * 1000);
    return failed('BUSY', 'it limits the rate of messages (HTTP 429)', pause);
  }
  if (status === 404) return failed('DENIED', 'the bot does not exist; correct the token in the address');
  if (description?.includes('chat not found') === true)
    return failed(
      'WRONG_ADDRESS',
      'the chat does not exist; correct the chat, or write to the bot from it first',
    );
  return undefined;
}
