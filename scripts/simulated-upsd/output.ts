// The output relay and its two timers: off after a delay, and on again after a delay with line power.

type Return = 'withLine' | 'never';

export class Output {
  on = true;
  /** Seconds until the output switches off; undefined without a pending shutdown. */
  secondsToOff: number | undefined;
  /** Seconds until the output switches on; undefined while none is due. */
  secondsToOn: number | undefined;
  #return: Return = 'withLine';

  /** shutdown.return and shutdown.stayoff. */
  shutDown(afterSeconds: number, comesBack: Return): void {
    this.#return = comesBack;
    this.secondsToOff = afterSeconds;
  }

  /** shutdown.stop: true when there was something to stop. */
  stop(): boolean {
    const pending = this.secondsToOff !== undefined;
    this.secondsToOff = undefined;
    return pending;
  }

  switchOff(comesBack: Return): void {
    this.on = false;
    this.#return = comesBack;
    this.secondsToOff = undefined;
    this.secondsToOn = undefined;
  }

  switchOn(): void {
    this.on = true;
    this.secondsToOff = undefined;
    this.secondsToOn = undefined;
  }

  advance(seconds: number, onLine: boolean, startDelaySeconds: number): void {
    if (this.secondsToOff !== undefined) {
      this.secondsToOff -= seconds;
      if (this.secondsToOff <= 0) this.switchOff(this.#return);
      return;
    }
    if (this.on || this.#return === 'never') return;
    if (!onLine) {
      this.secondsToOn = undefined;
      return;
    }
    this.secondsToOn = (this.secondsToOn ?? startDelaySeconds) - seconds;
    if (this.secondsToOn <= 0) this.switchOn();
  }
}
