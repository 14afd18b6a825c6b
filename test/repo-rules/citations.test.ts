// Code, tests and documents cite the specification by page and anchor. Every citation, every link of a document, and every
// source file that a comment or document names must exist.
import { expect } from 'chai';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorsOf, linksOf } from './markdown.js';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const folders = ['supervisor', 'workers', 'shared', 'web', 'scripts', 'systemd', 'test', 'docs'];
const isText = /\.(ts|css|html|sh|py|md|toml|json|ya?ml|service|conf|txt|cjs|js)$/;

const files = [
  ...readdirSync(project).filter((name) => isText.test(name) && name !== 'package-lock.json'),
  ...folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => isText.test(name))
      .map((name) => join(folder, name)),
  ),
];
const textOf = (name: string): string => readFileSync(join(project, name), 'utf8');
const documents = files.filter((name) => name.endsWith('.md'));

/** `page.md#anchor` of each citation, with the name of its folder in front. */
const citation = /\bspecification\/([\w.-]+\.md(?:#[\w-]*)?)/g;
/** Section numbers of the former specification documents. */
const sectionNumber = /\b(contract|interface|design)(\.md)?,?( section)? \d|\b(contract|interface)\.md\b/i;

/** Whether `file#anchor`, seen from a folder, is a file and a heading of it. */
function resolves(target: string, folder: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = join(folder, decodeURIComponent(file));
  if (!existsSync(join(project, path))) return false;
  if (anchor === undefined || !path.endsWith('.md')) return true;
  return anchorsOf(textOf(path)).has(anchor);
}

/** By its path, or the end of it; not one with a part in capital letters. */
const namedFile = /(?<![\w./*@$-])[a-z][\w./-]*\.ts\b(?!\/)/g;
const ends = new Set(
  files.flatMap((name) => name.split('/').map((_, place, parts) => parts.slice(place).join('/'))),
);

/** The history keeps its names. */
function missingFiles(name: string, text: string): readonly string[] {
  if (!/\.(ts|cjs|md)$/.test(name) || name === 'CHANGELOG.md') return [];
  const lines = text.split('\n').filter((line) => name.endsWith('.md') || /^\s*(\/\/|\/?\*)/.test(line));
  const named = lines.flatMap((line) => line.match(namedFile) ?? []);
  return named.filter((path) => !/[A-Z]/.test(path) && !ends.has(path)).map((path) => `${name}: ${path}`);
}

function brokenCitations(name: string, text: string): readonly string[] {
  const cited = [...text.matchAll(citation)].flatMap(([, target]) => target ?? []);
  return cited
    .filter((target) => !resolves(target, 'docs/specification'))
    .map((target) => `${name}: ${target}`);
}

function brokenLinks(name: string, text: string): readonly string[] {
  return linksOf(text)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
    .filter((target) => {
      const isHere = target.startsWith('#');
      return !resolves(isHere ? name + target : target, isHere ? '.' : dirname(name));
    })
    .map((target) => `${name}: ${target}`);
}

describe('citations of the specification', () => {
  it('name a page and a heading of it', () => {
    expect(files.flatMap((name) => brokenCitations(name, textOf(name)))).to.deep.equal([]);
  });

  it('are found in more than 100 files of code', () => {
    const citing = files.filter((name) => name.endsWith('.ts') && textOf(name).match(citation) !== null);
    expect(citing).to.have.length.above(100);
  });

  it('have no section number of another document', () => {
    const lines = files.flatMap((name) =>
      textOf(name)
        .split('\n')
        .map((line) => `${name}: ${line}`),
    );
    expect(lines.filter((line) => sectionNumber.test(line))).to.deep.equal([]);
  });

  it('are found broken when the page or the heading is missing', () => {
    const cited = (target: string): string => `// See ${['specification', target].join('/')}.`;
    const broken = (target: string): number => brokenCitations('x.ts', cited(target)).length;
    expect(broken('policy.md#triggers'), 'page and heading').to.equal(0);
    expect(broken('policy.md#no-such-heading'), 'heading').to.equal(1);
    expect(broken('no-such-page.md#triggers'), 'page').to.equal(1);
    expect(broken('policy.md#'), 'no heading').to.equal(1);
    for (const words of ['contract', 'Contract section', 'interface', 'Interface,', 'DESIGN'])
      expect(`${words} ${String(4)}`).to.match(sectionNumber);
  });
});

describe('source files that comments and documents name', () => {
  it('exist', () => {
    expect(files.flatMap((name) => missingFiles(name, textOf(name)))).to.deep.equal([]);
  });

  it('are found missing by the whole path and by its end', () => {
    const missing = (text: string): number => missingFiles('x.md', text).length;
    expect(missing('`supervisor/policy/step.ts`, `policy/step.ts`, step.ts, `workers/NAME/x.ts`')).to.equal(
      0,
    );
    expect(missing('`policy/no-such.ts`, no-such.ts and `power/step.ts`')).to.equal(3);
  });
});

describe('links between documents', () => {
  it('lead to a file and a heading of it', () => {
    expect(documents.flatMap((name) => brokenLinks(name, textOf(name)))).to.deep.equal([]);
  });

  it('are found broken when the file or the heading is missing', () => {
    const broken = (text: string): readonly string[] => brokenLinks('docs/x.md', text);
    expect(broken('[a](api.md) ![b](pictures) [c](../README.md) [d](https://example.org/#x)')).to.deep.equal(
      [],
    );
    expect(broken('[a](no-such.md)')).to.deep.equal(['docs/x.md: no-such.md']);
    expect(broken('[a](security.md#no-such)')).to.have.length(1);
    expect(broken('`[a](no-such.md)`\n```\n[b](no-such.md)\n```\n')).to.deep.equal([]);
  });

  it('find the anchors that GitHub makes', () => {
    const text = '# One `two`, three\n## The [UPS](x.md)\n### Same\n### Same\n```\n# code\n```\n';
    expect([...anchorsOf(text)]).to.deep.equal(['one-two-three', 'the-ups', 'same', 'same-1']);
  });

  it('take the reader of the specification from its first page to every other', () => {
    const folder = 'docs/specification';
    const pages = readdirSync(join(project, folder)).filter((name) => name !== 'README.md');
    expect(linksOf(textOf(join(folder, 'README.md')))).to.include.members(pages);
  });
});
