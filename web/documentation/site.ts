// The script of the site of the documentation: the search over its index, and the choice of light or dark.

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly page: string;
}
interface Index {
  search(words: string, options: object): readonly Hit[];
}
declare const MiniSearch: { loadJSON(text: string, options: object): Index };
declare const searchIndex: string;

const root = document.currentScript?.dataset['root'] ?? '';
const field = document.querySelector<HTMLInputElement>('#search');
const results = document.querySelector<HTMLOListElement>('#results');
const shown = 12;

const script = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = root + name;
    element.onload = () => resolve();
    element.onerror = () => reject(new Error(`${name} is missing`));
    document.head.append(element);
  });

let index: Promise<Index> | undefined;
/** Loaded with the first key: most readers of a page search nothing. */
const loadIndex = (): Promise<Index> =>
  (index ??= Promise.all([script('minisearch.js'), script('search-index.js')]).then(() =>
    // The options of the index that the build has written.
    MiniSearch.loadJSON(searchIndex, { fields: ['title', 'text'], storeFields: ['title', 'page'] }),
  ));

async function search(words: string): Promise<void> {
  if (results === null) return;
  const hits =
    words === ''
      ? []
      : (await loadIndex()).search(words, {
          prefix: true,
          fuzzy: 0.15,
          boost: { title: 3 },
          combineWith: 'AND',
        });
  // The reader has typed on while the index was loaded.
  if (field?.value.trim() !== words) return;
  results.replaceChildren(...hits.slice(0, shown).map(row));
  results.hidden = words === '';
  if (words !== '' && hits.length === 0) results.textContent = 'Nothing was found.';
}

function row({ id, title, page }: Hit): HTMLLIElement {
  const link = document.createElement('a');
  link.href = root + id;
  link.textContent = title === page ? title : `${page}: ${title}`;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

field?.addEventListener('input', () => void search(field.value.trim()));
field?.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') results?.querySelector('a')?.click();
  if (key === 'Escape') {
    field.value = '';
    void search('');
  }
});

const choice = 'ridethrough-theme';
const stored = localStorage.getItem(choice);
if (stored !== null) document.documentElement.style.colorScheme = stored;
document.querySelector('#theme')?.addEventListener('click', () => {
  const { style } = document.documentElement;
  const dark =
    style.colorScheme === ''
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : style.colorScheme === 'dark';
  style.colorScheme = dark ? 'light' : 'dark';
  localStorage.setItem(choice, style.colorScheme);
});
