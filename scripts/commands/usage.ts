// What every command shares: its exit codes, its standard options, and how wrong usage is said.

/** Contract section 8. */
export const exitCode = { fine: 0, failed: 1, usage: 2, configuration: 78 } as const;

export const defaultConfigPath = '/etc/ridethrough/config.toml';

/** For `parseArgs`: the options of contract section 8 that most commands take. */
export const configOption = { config: { type: 'string', default: defaultConfigPath } } as const;
export const jsonOption = { json: { type: 'boolean', default: false } } as const;

/**
 * The arguments make no sense. The dispatcher prints the message with a pointer to the help and exits with 2; it does the
 * same with what `parseArgs` of node:util throws, so a command needs to check only what `parseArgs` cannot.
 */
export class UsageError extends Error {}
