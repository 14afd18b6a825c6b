// Guests in words, for the log, events and the status. Pure.
import { shortList } from '../../../shared/domain/base/list-names.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';

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
  `the ${kind === 'libvirt' ? 'guest' : 'container'} ${singleLine(name)} of ${label}`;
