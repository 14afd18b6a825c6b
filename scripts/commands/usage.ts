// What every command shares: exit codes, standard options, and the report of wrong usage.

/** See specification/command-line.md#exit-codes. */
export const exitCode = { fine: 0, failed: 1, usage: 2, configuration: 78 } as const;

export const defaultConfigPath = '/etc/ridethrough/config.toml';

/** For `parseArgs`: the options that most commands take (specification/command-line.md#options). */
export const configOption = { config: { type: 'string', default: defaultConfigPath } } as const;
export const jsonOption = { json: { type: 'boolean', default: false } } as const;

/**
 * Wrong usage. The dispatcher prints the message with a pointer to the help and exits with 2. It treats the errors of
 * `parseArgs` of node:util alike, so a command checks only what `parseArgs` cannot.
 */
export class UsageError extends Error {}
