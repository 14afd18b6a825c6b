// What a plan says of the restart in place of the power-off (specification/sequence.md#restart-in-place-of-the-power-off). Pure.

/** Before the restart its count is on the disk, or this host powers off. Within the budget of the step. */
export const restartCountSeconds = 2;

/** `command` as it runs. */
export const restartWords = (command: string): string =>
  `if power is back: wait until the count of restarts is on the disk, at most ${String(restartCountSeconds)} s, then restart instead: ${command}`;
