// Reads the comments of docs/config.reference.toml: what they say of each key.

export interface ReferenceLine {
  readonly section: string;
  readonly key: string;
  readonly value: string;
  readonly comment: string;
}

/** Lines `key = value  # comment`, with their section. */
export function referenceLines(text: string): readonly ReferenceLine[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const header = headerOf(line);
    if (header !== undefined) section = header.section;
    const pair = /^([a-z0-9_]+) = ((?:"[^"]*"|[^"#])*?)\s*(?:# (.*))?$/.exec(line);
    return pair === null
      ? []
      : [{ section, key: pair[1] ?? '', value: pair[2] ?? '', comment: pair[3] ?? '' }];
  });
}

/** The comment beside the first header of each section. */
export function referenceSections(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, string>();
  for (const line of text.split('\n')) {
    const header = headerOf(line);
    if (header !== undefined && !sections.has(header.section)) sections.set(header.section, header.comment);
  }
  return sections;
}

function headerOf(line: string): { readonly section: string; readonly comment: string } | undefined {
  const header = /^\[\[?([a-z_.]+)\]?\]\s*(?:# (.*))?$/.exec(line);
  return header === null ? undefined : { section: header[1] ?? '', comment: header[2] ?? '' };
}
