// The site of a case: its UPSes, the servers that it shuts down, and where its own servers listen.

/** `office` feeds this host and the targets; `hall` has the same NUT server, `rack` another one. */
export const upses = ['office', 'hall', 'rack'] as const;
export type Ups = (typeof upses)[number];

/** `alpha` and `gamma` come first, in parallel, then `beta`. `gamma` has its own SSH server, which faults may hit. */
export const targets = ['alpha', 'beta', 'gamma'] as const;
export type Target = (typeof targets)[number];

export interface Ports {
  readonly house: number;
  readonly rack: number;
  readonly api: number;
  readonly broker: number;
  readonly notify: number;
}
