// A page in one file: no program, nothing loaded. Cells and bodies are HTML; text in them is escaped by their author.
import { escapeHtml } from './escape.js';

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}
th{white-space:nowrap}td.time{white-space:nowrap;font-variant-numeric:tabular-nums}.failed{color:#b00020;font-weight:600}
svg{width:100%;height:auto;display:block}svg text{font-size:11px;fill:currentColor}.note{color:#555}.plot{font:1.2rem/1 monospace;white-space:pre}
@media(prefers-color-scheme:dark){body{background:#16181c;color:#e8e8e8}th,td{border-color:#3a3d44}.failed{color:#ff8a80}.note{color:#aaa}}`;

/** The answer's headers: nothing of it may load anything. */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = header.map((cell) => `<th scope="col">${cell}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** A table of names and values. */
export function factTable(rows: readonly (readonly [string, string])[]): string {
  return `<table>${rows
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
    .join('')}</table>`;
}
