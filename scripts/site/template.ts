// The frame of every page of the site.
import type { NavigationGroup } from './navigation.js';
import { relative } from './navigation.js';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface Framed {
  readonly place: string;
  readonly title: string;
  readonly html: string;
}

/** Everything that a page needs lies beside it, so the site works from a disk and below any path of a server. */
export function pageHtml(
  { place, title, html }: Framed,
  navigation: readonly NavigationGroup[],
  titles: ReadonlyMap<string, string>,
): string {
  const to = (target: string): string => relative(place, target);
  const entry = (target: string): string => {
    const here = target === place ? ' aria-current="page"' : '';
    return `<li><a href="${to(target)}"${here}>${escaped(titles.get(target) ?? target)}</a></li>`;
  };
  const groups = navigation.map(
    ({ title: name, places }) => `<h2>${escaped(name)}</h2>\n<ul>\n${places.map(entry).join('\n')}\n</ul>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(place === 'index.html' ? title : `${title} - Ridethrough`)}</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}" data-root="${to('index.html').replace(/index\.html$/, '')}" defer></script>
</head>
<body>
<header>
<a class="home" href="${to('index.html')}">Ridethrough</a>
<input type="search" id="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
<button type="button" id="theme">Light or dark</button>
<ol id="results" aria-live="polite" hidden></ol>
</header>
<nav aria-label="Pages">
${groups.join('\n')}
</nav>
<main>
${html}</main>
</body>
</html>
`;
}
