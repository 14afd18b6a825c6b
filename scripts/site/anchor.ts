// The anchors of headings, as GitHub makes them: a link works there and on the site. Pure.

/** Gives each heading of one page its anchor; a repeated heading gets `-1`, `-2` and so on. */
export class Anchors {
  private readonly given = new Set<string>();

  next(title: string): string {
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; this.given.has(anchor); n++) anchor = `${slug}-${String(n)}`;
    this.given.add(anchor);
    return anchor;
  }
}
