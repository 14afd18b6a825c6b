// Durations as a transcript writes them: 45s, 1m30s, 2h, 0.25s.

const pattern = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/;

/** Milliseconds; throws on anything else, with the text. */
export function parseDuration(text: string): number {
  const match = pattern.exec(text);
  if (match === null || text === '') throw new Error(`"${text}" is no duration like 45s, 1m30s or 2h`);
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

export function formatDuration(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  const text = `${hours > 0 ? `${String(hours)}h` : ''}${minutes > 0 ? `${String(minutes)}m` : ''}`;
  return seconds > 0 || text === '' ? `${text}${String(seconds)}s` : text;
}
