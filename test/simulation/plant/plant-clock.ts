// What the simulated programs, servers and outputs know of the machine they run beside. Types only.

export interface PlantClock {
  monotonicMs(): number;
  /** Whoever waits for what `run` comes to hears of it in the same moment. */
  after(ms: number, run: () => void): void;
}
