// The end of a command that runs until Ctrl-C.

/** Ctrl-C, or the end of the session, is how a person ends what follows; it is no failure. */
export function stopOfTerminal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
