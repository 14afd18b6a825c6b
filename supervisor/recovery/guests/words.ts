// Guests in words, for the log, events and the status. Pure.
import { countText } from '../../../shared/domain/base/format.js';
import { shortList } from '../../../shared/domain/base/list-names.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import type { GuestEnd } from '../recorded-guests.js';

/** Why a guest stays off. */
export interface Notice {
  readonly guest: Pick<RecordedGuest, 'name' | 'engine' | 'user'>;
  readonly why: string;
}

/** `web, db (docker: no such network)`: those with the same reason together. */
export function wordsOf(notices: readonly Notice[]): string {
  const reasons = [...new Set(notices.map(({ why }) => why))];
  const parts = reasons.map((why) => {
    const own = notices.filter((notice) => notice.why === why);
    return `${shortList(
      own.map(({ guest }) => singleLine(guest.name).slice(0, 64)),
      20,
    )} (${why})`;
  });
  return shortList(parts, 8).slice(0, 3_500);
}

/** `label`: of the engine. */
export const nameOf = ({ name, engine: kind }: RecordedGuest, label: string): string =>
  `the ${kind === 'docker' || kind === 'podman' ? 'container' : 'guest'} ${singleLine(name)} of ${label}`;

/** What of `stopped` does not run on a machine and why, or what is waited for; empty: everything that ran runs. */
export function noticeOf(
  place: string,
  stopped: readonly RecordedGuest[],
  starts: { readonly waitsFor: string; endOf(guest: RecordedGuest): GuestEnd },
): string {
  if (stopped.length === 0) return '';
  const off = stopped.flatMap((guest) => {
    const why = starts.endOf(guest)?.reason ?? guest.reason;
    return why === '' ? [] : [{ guest, why }];
  });
  const count = (n: number): string => `${countText(n, 'guest')} of ${place}`;
  const waiting = stopped.length - off.length;
  const waits = starts.waitsFor;
  return [
    ...(off.length === 0
      ? []
      : [`${count(off.length)} stopped by a shutdown and not started again: ${wordsOf(off)}`]),
    ...(waiting === 0
      ? []
      : [
          `${count(waiting)} stopped by a shutdown and not started yet: ${waits === '' ? 'the next look says more' : waits}`,
        ]),
  ].join('; ');
}
