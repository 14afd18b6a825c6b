// Telegram's Bot API: what its errors mean, and the one service that changes while it runs: a group that becomes a supergroup has
// another id, and the old one is refused for ever.
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import type { ServiceAddress } from '../../../shared/domain/services/service-address.js';
import { finite } from '../../../shared/domain/base/units.js';
import type { Message } from '../message.js';
import { telegramMessage } from './bodies.js';
import type { HttpRefusal } from './http-post.js';
import { boundPause, jsonOf, post } from './http-post.js';
import type { Network } from './network.js';
import type { SendOutcome } from './outcome.js';
import { failureOf } from './outcome.js';
import type { MaskedWords } from './own-words.js';

interface TelegramParts {
  readonly address: Extract<ServiceAddress, { readonly kind: 'telegram' }>;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: MaskedWords;
  readonly network: Network;
}

/** Goes on under the new id of its chat until the configuration has it; the delivery that finds it has a warning. */
export function telegram({
  address,
  headers,
  secrets,
  network,
}: TelegramParts): (message: Message, signal: AbortSignal) => Promise<SendOutcome> {
  let { chat } = address;
  const sendTo = async (
    to: string,
    message: Message,
    signal: AbortSignal,
  ): Promise<{ outcome: SendOutcome; movedTo: string | undefined }> => {
    let movedTo: string | undefined;
    const body = telegramMessage(message, { ...address, chat: to });
    const request = { url: address.url, headers, body, secrets, hasNoPages: true };
    const outcome = await post(request, network, signal, (refusal) => {
      movedTo = newChatOf(refusal);
      return telegramRefusal(refusal);
    });
    return { outcome, movedTo };
  };
  return async (message, signal) => {
    const { outcome, movedTo } = await sendTo(chat, message, signal);
    if (movedTo === undefined || signal.aborted) return outcome;
    const again = await sendTo(movedTo, message, signal);
    if (!again.outcome.ok) return again.outcome;
    chat = movedTo;
    return { ok: true, warning: movedWarning(movedTo) };
  };
}

const movedWarning = (chat: string): string =>
  `the group has become a supergroup with the id ${chat}, under which messages go on; write it into the address in the place of the old id`;

const Refused = t.intersection([
  t.type({ error_code: finite }),
  t.partial({
    description: t.string,
    parameters: t.partial({ retry_after: finite, migrate_to_chat_id: finite }),
  }),
]);

function newChatOf(refusal: HttpRefusal): string | undefined {
  const decoded = decode(Refused, jsonOf(refusal));
  const id = decoded.ok ? decoded.value.parameters?.migrate_to_chat_id : undefined;
  return id !== undefined && Number.isSafeInteger(id) ? String(id) : undefined;
}

/** Undefined where the status alone decides. */
function telegramRefusal(refusal: HttpRefusal): SendOutcome | undefined {
  const { status, words } = refusal;
  const decoded = decode(Refused, jsonOf(refusal));
  if (!decoded.ok) return undefined;
  const { description = '', parameters } = decoded.value;
  const answer = `(HTTP ${String(status)})${words}`;
  switch (status) {
    case 429: {
      const pause = boundPause((parameters?.retry_after ?? Number.NaN) * 1000);
      return failureOf('BUSY', 'it limits the rate of messages (HTTP 429)', pause);
    }
    case 401:
      return failureOf(
        'DENIED',
        `the token of the bot is not valid, or was revoked ${answer}; correct it in the address`,
      );
    case 404:
      return failureOf('DENIED', `the bot does not exist ${answer}; correct the token in the address`);
    case 403:
      return failureOf(
        'WRONG_ADDRESS',
        `the bot may not write to this chat ${answer}; add the bot to it, or write to the bot from it first`,
      );
    default:
      if (description.includes('chat not found'))
        return failureOf(
          'WRONG_ADDRESS',
          `the chat does not exist ${answer}; correct the chat, or write to the bot from it first`,
        );
      if (/thread not found|topic/i.test(description))
        return failureOf(
          'WRONG_ADDRESS',
          `the topic of the chat does not take it ${answer}; correct or remove "topic" in the address`,
        );
      return undefined;
  }
}
