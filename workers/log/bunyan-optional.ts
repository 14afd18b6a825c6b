// Blocks optional packages that bunyan imports and this daemon does not use (dtrace probes, file rotation, a JSON fallback).
// They cost 5 ms and 5 MB in a process that runs as long as the daemon. Import it before bunyan.
import { createRequire, Module } from 'node:module';

const fromHere = createRequire(import.meta.url);
const fromBunyan = createRequire(fromHere.resolve('bunyan'));

for (const name of ['dtrace-provider', 'mv', 'safe-json-stringify', 'source-map-support']) {
  const path = resolved(name);
  // bunyan treats a null module as not installed.
  if (path !== undefined) fromBunyan.cache[path] = absent(path);
}

function resolved(name: string): string | undefined {
  try {
    return fromBunyan.resolve(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function absent(path: string): NodeJS.Module {
  const module = new Module(path);
  module.filename = path;
  module.loaded = true;
  module.exports = null;
  return module;
}
