// Codecs of the bodies of the login routes (specification/api-writes.md#login).
import * as t from 'io-ts';
import { Role } from '../domain/status/role.js';
import { integerFrom, orNull, textUpTo } from '../domain/base/units.js';

/** POST /api/v1/auth/login. The bounds are far above any valid name. */
export const LoginRequest = t.type({ username: textUpTo(256), password: textUpTo(1024) }, 'LoginRequest');
export type LoginRequest = t.TypeOf<typeof LoginRequest>;

export const LoginBody = t.type(
  { token: t.string, tokenType: t.literal('bearer'), expiresIn: integerFrom(1, Number.MAX_SAFE_INTEGER) },
  'LoginBody',
);
export type LoginBody = t.TypeOf<typeof LoginBody>;

/** POST /api/v1/auth/logout */
export const LogoutBody = t.type({ status: t.literal('ok') }, 'LogoutBody');
export type LogoutBody = t.TypeOf<typeof LogoutBody>;

/** GET /api/v1/auth/state */
export const AuthStateBody = t.type(
  { enabled: t.boolean, requireForReads: t.boolean, role: orNull(Role) },
  'AuthStateBody',
);
export type AuthStateBody = t.TypeOf<typeof AuthStateBody>;

/** GET /ready for an anonymous caller under `require_for_reads`. */
export const ReadyAloneBody = t.type({ ready: t.boolean }, 'ReadyAloneBody');
export type ReadyAloneBody = t.TypeOf<typeof ReadyAloneBody>;
