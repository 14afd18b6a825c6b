// The request of each messenger with an interface of its own, and what its answers mean.
import * as t from 'io-ts';
import { decode } from '../../../shared/domain/decode.js';
import type { MessengerAddress } from '../../../shared/domain/messenger-addresses.js';
import { finite } from '../../../shared/domain/units.js';
import { unreachable } from '../../../shared/domain/unreachable.js';
import type { Message } from '../message.js';
import { authorization } from './authorization.js';
import { appriseMessage, chatMessage, pushoverMessage, signalMessage } from './bodies.js';
import type { PostRequest, Refusal } from './http-post.js';
import { bounded, jsonOf } from './http-post.js';
import type { SendOutcome } from './outcome.js';
import { failed } from './outcome.js';

export interface MessengerRequest extends PostRequest {
  /** Undefined where the status alone decides. */
  readonly meaning?: (refusal: Refusal) => SendOutcome | undefined;
}

export function messengerRequest(address: MessengerAddress, message: Message): MessengerRequest {
  const { url } = address;
  switch (address.kind) {
    case 'pushover':
      return { url, body: pushoverMessage(message, address), meaning: pushoverRefusal };
    case 'matrix':
      return {
        method: 'PUT',
        // The same at every attempt: the server takes a message that is sent again for the same one.
        url: `${url}/${encodeURIComponent(message.id)}`,
        headers: { Authorization: `Bearer ${address.token}` },
        body: { msgtype: 'm.text', body: chatMessage(message, 8000) },
        meaning: matrixRefusal,
      };
    case 'signal':
      return { url, headers: authorization(address.credentials), body: signalMessage(message, address) };
    case 'nextcloud':
      return {
        url,
        headers: {
          ...authorization(address.credentials),
          // Without it Nextcloud takes the request for one of a browser.
          'OCS-APIRequest': 'true',
          Accept: 'application/json',
        },
        body: { message: chatMessage(message, 8000) },
      };
    case 'apprise':
      return {
        url,
        headers: { ...authorization(address.credentials), Accept: 'application/json' },
        body: appriseMessage(message, address.tag),
        // It has no configuration for the KEY, and has sent nothing.
        refusesWith: 204,
        meaning: appriseRefusal,
      };
    default:
      return unreachable(address);
  }
}

function pushoverRefusal({ status }: Refusal): SendOutcome | undefined {
  if (status !== 400) return undefined;
  return failed('DENIED', 'it refuses the user key or the API token (HTTP 400); correct the address');
}

const Limited = t.type({ retry_after_ms: finite });

function matrixRefusal(refusal: Refusal): SendOutcome | undefined {
  const limited = decode(Limited, jsonOf(refusal));
  if (refusal.status !== 429 || !limited.ok) return undefined;
  const pause = bounded(limited.value.retry_after_ms);
  return failed('BUSY', 'it limits the rate of messages (HTTP 429)', pause);
}

function appriseRefusal({ status }: Refusal): SendOutcome | undefined {
  if (status === 204)
    return failed('WRONG_ADDRESS', 'it has no services under this KEY; configure them there');
  if (status === 424)
    return failed('SERVICE_ERROR', 'not all of its services took the message (HTTP 424); see its log');
  return undefined;
}
