// The output relay and its two timers: off after a delay, and on again after a delay, with line power.

type Return = 'withLine' | 'never';

/** From when `ups.delay.start` counts: the command (usbhid-ups), the cut (nutdrv_qx), or the return of mains (apcsmart, APC's SNMP). */
export type StartCounts = 'command' | 'cut' | 'mains';

export class Output {
  on = true;
  /** Seconds until the output switches off; undefined without a pending shutdown. */
  secondsToOff: number | undefined;
  /** Seconds until the output switches on; undefined while none is due. */
  secondsToOn: number | undefined;
  #return: Return = 'withLine';
  #secondsToOnAtCut: number | undefined;

  constructor(private readonly startCounts: StartCounts = 'mains') {}

  /** shutdown.return and shutdown.stayoff. */
  shutDown(afterSeconds: number, comesBack: Return, startDelaySeconds: number): void {
    // networkupstools/nut#1114: a start that is due before the cut switches nothing on, and nothing follows it.
    const isTooEarly =
      this.startCounts === 'command' && startDelaySeconds > 0 && startDelaySeconds <= afterSeconds;
    this.#return = isTooEarly ? 'never' : comesBack;
    this.secondsToOff = afterSeconds;
    const counted = this.startCounts === 'command' ? startDelaySeconds - afterSeconds : startDelaySeconds;
    this.#secondsToOnAtCut = this.startCounts === 'mains' ? undefined : Math.max(0, counted);
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
      if (this.secondsToOff > 0) return;
      this.switchOff(this.#return);
      this.secondsToOn = this.#secondsToOnAtCut;
      return;
    }
    if (this.on || this.#return === 'never') return;
    if (!onLine && this.startCounts === 'mains') this.secondsToOn = undefined;
    if (!onLine && this.secondsToOn === undefined) return;
    this.secondsToOn = Math.max(0, (this.secondsToOn ?? startDelaySeconds) - seconds);
    if (onLine && this.secondsToOn === 0) this.switchOn();
  }
}
