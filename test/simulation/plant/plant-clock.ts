// The clock of the simulated programs, servers and outputs. Types only.

export interface PlantClock {
  monotonicMs(): number;
  /** Runs `run` after `ms`; promises that it settles are awaited at the same time. */
  after(ms: number, run: () => void): void;
}
