// A guest or container that this daemon stopped, as a later start needs it (specification/recovery.md#guests). It comes from the tools
// of a machine: each text has the strict form of its engine, since it is an argument of a command of that engine later.
import * as t from 'io-ts';
import { finite, oneOf, orNull, textUpTo } from '../base/units.js';

/** `proxmox_ha`: one that HA was requested to keep started. HA alone starts it. */
export const GuestEngine = oneOf('libvirt', 'proxmox_vm', 'proxmox_ct', 'proxmox_ha', 'docker', 'podman');
export type GuestEngine = t.TypeOf<typeof GuestEngine>;

/** Of one machine. */
export const maxGuests = 1_000;

const container = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/;
const vmid = /^\d{1,9}$/;
// oxlint-disable-next-line no-control-regex -- refusing them is its purpose
const shown = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,256}$/;
const login = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,255}$/;

/** `id`: what the tool gets as one argument. */
const ids: Readonly<Record<GuestEngine, RegExp>> = {
  libvirt: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  proxmox_vm: vmid,
  proxmox_ct: vmid,
  proxmox_ha: /^(?:vm|ct):\d{1,9}$/,
  docker: container,
  podman: container,
};

/** `name`: shown. `user`: of a rootless podman, else null. */
const Texts = t.readonly(
  t.type({ engine: GuestEngine, id: t.string, name: t.string, user: orNull(t.string) }),
);

export const StoppedGuest = t.refinement(
  Texts,
  ({ engine, id, name, user }) =>
    ids[engine].test(id) && shown.test(name) && (user === null || (engine === 'podman' && login.test(user))),
  'StoppedGuest',
);
export type StoppedGuest = t.TypeOf<typeof StoppedGuest>;

export const StoppedGuests = t.refinement(
  t.readonlyArray(StoppedGuest),
  ({ length }) => length <= maxGuests,
  `at most ${String(maxGuests)} guests`,
);

/** Of one machine: the same guest has the same key, also where HA keeps it. No text of a guest has a line break. */
export function guestKey({ engine, id, user }: Omit<StoppedGuest, 'name'>): string {
  if (engine === 'proxmox_ha') return guestKey({ engine: haEngine(id), id: id.slice(3), user });
  return [engine, user ?? '', id].join('\n');
}

const haEngine = (id: string): GuestEngine => (id.startsWith('ct') ? 'proxmox_ct' : 'proxmox_vm');

/** One of the record: what became of its stop. */
export const RecordedGuest = t.intersection(
  [
    StoppedGuest,
    t.readonly(
      t.type({
        /** Of the report that it was found running, in the journal of this boot; null: of an earlier boot. */
        foundMs: orNull(finite),
        foundUnixSeconds: finite,
        /** `over`: it runs again, or is none of this daemon any more. Kept until the journal has forgotten the stop. */
        state: oneOf('stopped', 'over'),
        /** Why it is not started; empty while nothing speaks against it. */
        reason: textUpTo(512),
      }),
    ),
  ],
  'RecordedGuest',
);
export type RecordedGuest = t.TypeOf<typeof RecordedGuest>;
