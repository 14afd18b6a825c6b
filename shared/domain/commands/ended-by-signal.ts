// The exit statuses by which a shell reports that a signal ended its command. Pure.

/** 128 + SIGHUP, SIGKILL, SIGTERM: those of init, which ends the client of a shutdown too once that has begun. */
const statuses: ReadonlySet<number> = new Set([129, 137, 143]);

export const isEndedBySignal = (status: number): boolean => statuses.has(status);
