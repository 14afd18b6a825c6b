// Anchors and links of Markdown text, as GitHub renders them. Pure.

const withoutFences = (text: string): string => text.replace(/^ *(```|~~~)[^]*?^ *\1.*$/gm, '');

/** The anchor of every heading; a repeated heading gets `-1`, `-2` and so on. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${String(n)}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The targets of links and pictures; code is no link. */
export function linksOf(markdown: string): readonly string[] {
  const prose = withoutFences(markdown).replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^\s)>]+)/g)];
  const references = [...prose.matchAll(/^ *\[[^\]]+\]: *(\S+)/gm)];
  const html = [...prose.matchAll(/(?:href|src)="([^"]+)"/g)];
  return [...inline, ...references, ...html].flatMap(([, target]) => target ?? []);
}
