// The routes of sessions: login, logout, and the state of authentication.
import { AuthStateBody, LoginBody, LoginRequest, LogoutBody } from '../../../shared/http/auth-bodies.js';
import { unauthorized } from '../auth/access.js';
import type { RouteContext } from './route-context.js';
import type { Route } from '../http/route.js';
import { json } from '../http/route.js';

export function authRoutes({ access, audit, login }: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/auth/state',
      description: 'Whether authentication is on, whether reads require it, and the role of the caller.',
      auth: 'open',
      identifies: true,
      gives: AuthStateBody,
      answer: async ({ role }) => json({ ...(await access.shown()), role } satisfies AuthStateBody),
    },
    {
      method: 'POST',
      path: '/api/v1/auth/login',
      description: 'A session token for a user name and password.',
      auth: 'open',
      precheck: (head) => login.precheck(head),
      takesBody: true,
      takes: LoginRequest,
      gives: LoginBody,
      fails: ['FORBIDDEN', 'UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', 'AUTH_UNAVAILABLE'],
      answer: async (request) => json((await login.login(request)) satisfies LoginBody),
    },
    {
      method: 'POST',
      path: '/api/v1/auth/logout',
      description: 'Ends the session of the request.',
      auth: 'write',
      withoutStore: true,
      role: 'read',
      precheck: ({ session, principal, from }) => {
        if (session !== null) return;
        const target = 'POST /api/v1/auth/logout';
        audit.refused({ type: 'LOGIN_FAILURE', principal, peer: from, target, result: 'denied' });
        throw unauthorized('This needs a session token; an API key has no session.');
      },
      takesBody: true,
      gives: LogoutBody,
      answer: ({ session }) => {
        if (session !== null) access.end(session);
        return json({ status: 'ok' } satisfies LogoutBody);
      },
    },
  ];
}
