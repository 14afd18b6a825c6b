// "The decision is on disk before its command starts; an ended power-off never runs again; a dry run runs nothing."
import { isPowerOff } from '../configuration.js';
import type { Invariant } from './invariant.js';

/** specification/sequence.md#power-off: the pause after a failure, and the look at a host that is still up. */
const retryMs = 5_000;
const verifyMs = 120_000;

interface Attempt {
  readonly endedMs: number | null;
  readonly isDone: boolean;
  /** The daemon may not know its end. */
  readonly isUnknown: boolean;
}

export const diskBeforeCommand: Invariant = (facts) => {
  const { world } = facts;
  let isKept = false;
  let last: Attempt | null = null;
  /** The host was looked at after a success, or the daemon that would look is gone. */
  let isVerified = false;
  /** A sequence that asks for the power-off began since the last attempt. */
  let isAskedAgain = false;
  /** UPSes that have the command to turn their output off, which they do on mains too. */
  const cuts = new Set<string>();
  const isAsked = () => facts.starts.some(({ source }) => facts.hostGroups.includes(source));

  function runs(text: string): void {
    if (world.site.dryRun) facts.violated('a dry run runs nothing', text);
  }
  function begins(text: string): void {
    const isOnDisk = isKept || world.tmpfs.full;
    runs(text);
    facts.atEnd(() => {
      if (!isOnDisk && isAsked()) facts.violated('the decision is on disk before its command', text);
    });
  }
  function ended(isDone: boolean): void {
    // Also that of a command that outlasts its daemon.
    const isUnknown = last?.isUnknown === true || world.tmpfs.full || world.daemon.stalled;
    last = { endedMs: facts.nowMs, isDone, isUnknown };
  }
  function powersOff(): void {
    const before = last;
    const isFree = before === null || before.isUnknown || isAskedAgain;
    last = { endedMs: null, isDone: false, isUnknown: false };
    isAskedAgain = false;
    if (isFree) return;
    const agoMs = facts.nowMs - (before.endedMs ?? facts.nowMs);
    const isRetry = !before.isDone && agoMs >= retryMs;
    const isLook = before.isDone && agoMs >= verifyMs && !isVerified;
    isVerified ||= isLook;
    const { hostGroups } = facts;
    const isBack = hostGroups.length > 0 && hostGroups.every((group) => facts.isPowerBack(group));
    const isCut = hostGroups.flatMap((group) => facts.feeds(group)).every((ups) => cuts.has(ups));
    const again = isBack && !isCut ? 'no power-off is tried again once power is back' : null;
    const rule = isRetry || isLook ? again : 'an ended power-off never runs again';
    facts.atEnd(() => {
      if (rule !== null && !isAsked()) facts.violated(rule, `after ${String(agoMs)} ms`);
    });
  }

  return {
    snapshotWritten() {
      isKept = true;
    },
    ran(command) {
      begins(command.join(' '));
      if (isPowerOff(command)) powersOff();
    },
    began({ id, action }) {
      runs(id);
      if (action.kind !== 'poweroffDelegate') return;
      begins(id);
      powersOff();
    },
    cut(ups) {
      runs(`output of ${ups}`);
      cuts.add(ups);
    },
    commanded: runs,
    commandEnded(outcome, command) {
      if (isPowerOff(command)) ended(outcome.kind === 'exited' && outcome.code === 0);
    },
    ended({ action }, outcome) {
      if (action.kind === 'poweroffDelegate') ended(outcome?.kind === 'done');
    },
    checked() {
      isAskedAgain ||= isAsked();
      isKept = false;
    },
    daemonDied(isWithin) {
      if (last === null) return;
      const isUnwritten = last.endedMs === null || (isWithin && last.endedMs === facts.nowMs);
      last = { ...last, isUnknown: last.isUnknown || world.tmpfs.full || isUnwritten };
      isVerified = true;
    },
    lost() {
      if (last !== null) last = { ...last, isUnknown: true };
    },
    hostDown() {
      last = null;
      isVerified = isAskedAgain = false;
      cuts.clear();
    },
  };
};
