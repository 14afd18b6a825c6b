// Anchors and links of Markdown text, as GitHub renders them. Pure.
import { Anchors } from '../../scripts/site/anchor.js';

const withoutFences = (text: string): string => text.replace(/^ *(```|~~~)[^]*?^ *\1.*$/gm, '');

/** The anchor of every heading; a repeated heading gets `-1`, `-2` and so on. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Anchors();
  const titles = withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm);
  return new Set([...titles].map(([, title = '']) => anchors.next(title)));
}

/** The targets of links and pictures; code is no link. */
export function linksOf(markdown: string): readonly string[] {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^\s)>]+)/g)];
  const references = [...prose.matchAll(/^ *\[[^\]]+\]: *(\S+)/gm)];
  const html = [...prose.matchAll(/(?:href|src)="([^"]+)"/g)];
  return [...inline, ...references, ...html].flatMap(([, target]) => target ?? []);
}
