// The site of the documentation, built as anybody builds it: its links, what it loads, its search in a real browser.
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SharedBrowser } from '../../fixtures/dashboard.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const attributes = (html: string, name: string): readonly string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

describe('the site of the documentation', () => {
  const site = join(temporaryFolder(), 'site');
  let pages: ReadonlyMap<string, string>;
  before(() => {
    const { status, stderr } = spawnSync('scripts/site.sh', [site], { encoding: 'utf8', timeout: 100_000 });
    expect(status, stderr).to.equal(0);
    const names = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    );
    pages = new Map(names.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  });

  it('has a page for every document, and the generated reference', () => {
    const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(documents).to.have.length.above(80);
    for (const name of documents)
      expect(pages).to.include.keys(`docs/${name.replace('README.md', 'index.md').replace('.md', '.html')}`);
    expect(pages).to.include.keys(...['configuration', 'commands'].map((name) => `reference/${name}.html`));
  });

  it('lists every page for users beside each page', () => {
    const users = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const listed = attributes(/<nav[^]*<\/nav>/.exec(pages.get('index.html') ?? '')?.[0] ?? '', 'href');
    expect(listed).to.include.members(
      users.map((name) => `docs/${name.replace('README.md', 'index.md').replace('.md', '.html')}`),
    );
  });

  it('has no link that leads nowhere', () => {
    const broken = [...pages].flatMap(([name, html]) =>
      [...attributes(html, 'href'), ...attributes(html, 'src')]
        .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#');
          const place = file === '' ? name : join(dirname(name), decodeURIComponent(file));
          if (!existsSync(join(site, place))) return true;
          return (
            anchor !== undefined &&
            !attributes(pages.get(place) ?? '', 'id').includes(decodeURIComponent(anchor))
          );
        })
        .map((target) => `${name}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('loads nothing from elsewhere', () => {
    for (const [name, html] of pages) {
      const loaded = [...attributes(html, 'src'), ...html.matchAll(/<link [^>]*href="([^"]*)"/g)].map(String);
      expect(
        loaded.filter((target) => /^(?:[a-z]+:|\/\/)/i.test(target)),
        name,
      ).to.deep.equal([]);
    }
    const style = readFileSync(join(site, 'site.css'), 'utf8');
    expect(style).not.to.match(/url\(|@import/);
  });

  describe('in a browser, from the disk', () => {
    const browser = new SharedBrowser();
    const url = (place: string): string => pathToFileURL(join(site, place)).href;

    it('finds a heading by the beginnings of its words, and opens it', async () => {
      const page = await browser.open(url('docs/specification/api.html'));
      await page.fill('#search', 'point of no ret');
      const first = page.locator('#results a').first();
      await first.waitFor();
      expect(await first.textContent()).to.match(/point of no return/i);
      await page.press('#search', 'Enter');
      await page.waitForURL(/#.*no-return/);
      await page.close();
    });

    for (const [scheme, paper] of [
      ['light', 'rgb(255, 255, 255)'],
      ['dark', 'rgb(20, 24, 28)'],
    ] as const)
      it(`is ${scheme} where the system is, and the other after a click`, async () => {
        const page = await browser.open(url('index.html'), { colorScheme: scheme });
        const background = (): Promise<string> =>
          page
            .locator('body')
            .evaluate((body) => (globalThis as unknown as Styled).getComputedStyle(body).backgroundColor);
        expect(await background()).to.equal(paper);
        await page.click('#theme');
        expect(await background()).not.to.equal(paper);
        await page.close();
      });
  });
});

/** What a browser has; the tests are compiled without its types. */
interface Styled {
  getComputedStyle(element: unknown): { readonly backgroundColor: string };
}
