// What is to become of guests that were stopped on a server, by the lines of its tools (shared/domain/recovery/guest-scripts.ts), which
// are untrusted. Pure.
import type { RecordedGuest } from '../../../shared/domain/recovery/guest.js';
import { guestKey } from '../../../shared/domain/recovery/guest.js';
import { containersIn } from '../../../shared/domain/commands/container-state.js';
import { singleLine } from '../../../shared/domain/base/single-line.js';
import type { GuestAnswer } from '../../../shared/protocol/remote.js';
import { afterOf, verdictOf } from './container-verdict.js';
import { domainVerdict } from './domain-state.js';
import { disksIn, foreignDisk } from './disks.js';
import type { Verdict } from './verdict.js';

export interface LookTimes {
  /** Of this host, Unix seconds. */
  readonly asked: number;
  readonly answered: number;
}

/** `answers` are to a look at `guests`, in this order. By `guestKey`. */
export function verdictsOf(
  guests: readonly RecordedGuest[],
  answers: readonly GuestAnswer[],
  times: LookTimes,
): ReadonlyMap<string, Verdict> {
  const { aheadSeconds, bootUnixSeconds } = clockOf(answers, times);
  const after = afterOf(
    answers.flatMap(({ kind, text }) => (kind === 'container' ? containersIn(text) : [])),
  );
  const keys = new Map(guests.map((guest) => [guest.id, guestKey(guest)]));
  return new Map(
    guests.map((guest, place): readonly [string, Verdict] => {
      const own = answers.filter((answer) => answer.place === place);
      const stopped = { ...guest, foundUnixSeconds: guest.foundUnixSeconds + aheadSeconds };
      const verdict = verdictOn(stopped, own, bootUnixSeconds > guest.foundUnixSeconds);
      if (verdict.kind !== 'start') return [guestKey(guest), verdict];
      const others = (after.get(guest.id) ?? []).flatMap((id) => keys.get(id) ?? []);
      return [guestKey(guest), { kind: 'start', after: others }];
    }),
  );
}

/**
 * The dates of the engines of a server are of its own clock. What it says at the end of a look, which may last two minutes, is of the time of
 * the answer; a look without an end has only the clock of its begin.
 */
function clockOf(answers: readonly GuestAnswer[], { asked, answered }: LookTimes) {
  const clocks = secondsIn(answers, 'clock');
  const now = clocks.length > 1 ? answered : asked;
  const clock = clocks.at(-1);
  const uptime = secondsIn(answers, 'uptime').at(-1);
  return {
    aheadSeconds: clock === undefined ? 0 : clock - now,
    bootUnixSeconds: uptime === undefined ? -Infinity : now - uptime,
  };
}

function secondsIn(answers: readonly GuestAnswer[], wanted: GuestAnswer['kind']): readonly number[] {
  return answers
    .filter(({ kind }) => kind === wanted)
    .map(({ text }) => Number(text))
    .filter((seconds) => Number.isSafeInteger(seconds));
}

const stays = (why: string): Verdict => ({ kind: 'stays', why });

function verdictOn(guest: RecordedGuest, answers: readonly GuestAnswer[], isOtherBoot: boolean): Verdict {
  const textsOf = (wanted: GuestAnswer['kind']): readonly string[] =>
    answers.flatMap(({ kind, text }) => (kind === wanted ? [text] : []));
  const [refusal] = textsOf('refusal');
  if (refusal !== undefined) return stays(refusal === '' ? 'its tool gives no reason' : singleLine(refusal));
  if (textsOf('renamed').length > 0) return { kind: 'over', why: 'another container has its name by now' };
  const [state] = textsOf('state');
  if (state === 'gone') return { kind: 'gone' };
  switch (guest.engine) {
    case 'docker':
    case 'podman': {
      const found = containersIn(textsOf('container')[0] ?? '').find(({ id }) => id === guest.id);
      return found === undefined ? silent : verdictOf(guest, found, false);
    }
    case 'libvirt':
      return state === undefined
        ? silent
        : withDisks(
            domainVerdict(state, isOtherBoot),
            textsOf('disk'),
            textsOf('fileSystem'),
            textsOf('listed').length > 0,
          );
    case 'proxmox_vm':
    case 'proxmox_ct':
    case 'proxmox_ha':
      return ofProxmox(guest, state, textsOf('ha').length > 0);
  }
}

const silent = stays('the server says nothing of it');
const notListed = stays('the server did not list its disks in time');

/** `isListed`: after the last disk; without it the script was ended, and there may be more. */
function withDisks(
  verdict: Verdict,
  disks: readonly string[],
  fileSystems: readonly string[],
  isListed: boolean,
): Verdict {
  if (verdict.kind !== 'start') return verdict;
  if (disks.length === 0 && !isListed) return notListed;
  const known = disksIn(disks.join('\n'));
  if (!known.ok) return stays(known.why);
  const why = foreignDisk(known.paths, fileSystems);
  if (why !== null) return stays(why);
  return isListed ? verdict : notListed;
}

/** `qm start` and `pct start` of a guest that HA keeps would ask HA for it. */
function ofProxmox({ engine, id }: RecordedGuest, state: string | undefined, isHa: boolean): Verdict {
  if (state === undefined) return silent;
  if (state === 'running') return { kind: 'runs' };
  if (isHa) {
    const sid = engine === 'proxmox_ha' ? id : `${engine === 'proxmox_ct' ? 'ct' : 'vm'}:${id}`;
    return stays(`HA keeps it off since its stop; it ran before: ha-manager set ${sid} --state started`);
  }
  if (engine === 'proxmox_ha') return stays('HA, which kept it started, keeps it no more');
  return state === 'stopped' ? { kind: 'start', after: [] } : stays(`its state is ${singleLine(state)}`);
}
