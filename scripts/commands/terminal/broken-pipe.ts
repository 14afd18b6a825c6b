// The end of a command that runs until Ctrl-C.

/** Ctrl-C and the end of the session are the normal end of such a command, not a failure. */
export function stopOfTerminal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
