// Blocks the packages bunyan tries on import and that nothing here uses (dtrace probes, file rotation, a JSON fallback).
// Must be imported before bunyan: they cost 5 ms and 5 MB in a process that lives for as long as the daemon.
import { createRequire, Module } from 'node:module';

const fromHere = createRequire(import.meta.url);
const fromBunyan = createRequire(fromHere.resolve('bunyan'));

for (const name of ['dtrace-provider', 'mv', 'safe-json-stringify', 'source-map-support']) {
  const path = resolved(name);
  // bunyan takes a null module for one that is not installed.
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
