// Serves every route below `api.base_path` too, for a proxy that does not take the path off (specification/api.md#base-path).
import type { Context } from 'koa';
import type { Reply } from '../http/route.js';

/**
 * Takes the base path off the target of the request. Returns the answer for the base path itself: the addresses of the page are
 * relative, and only below a path that ends in "/" they are those of this daemon. Nothing of the request is in its Location.
 */
export function withoutBasePath(ctx: Context, basePath: string): Reply | undefined {
  if (basePath === '') return undefined;
  const { path } = ctx;
  if (path === basePath)
    return {
      status: 308,
      type: 'text/plain; charset=utf-8',
      body: '',
      headers: { Location: `${basePath}/` },
    };
  if (path.startsWith(`${basePath}/`)) ctx.path = path.slice(basePath.length);
  return undefined;
}
