import { expect, test } from 'vitest';
import { processor } from './processor.ts';

const render = async (markdown: string) => {
  const renderer = await processor.createRenderer({ syntaxHighlight: false });
  return renderer.render(markdown);
};

test('labels cells with their column, and makes the first cell of a row its header', async () => {
  const { code } = await render('| Name | Kind |\n| --- | --- |\n| `theme` | Storage |\n| x | y |');
  expect(code).toContain('<th scope="row"><code>theme</code></th>\n<td data-column="Kind">Storage');
  expect(code).toContain('<th scope="row">x</th>\n<td data-column="Kind">y');
  expect(code).toContain('<th>Name</th>\n<th>Kind</th>');
});

test('numbers the sections of each text, and keeps their ids', async () => {
  for (const first of ['Introduction', 'Agreement']) {
    const { code, metadata } = await render(`## ${first} {#start}\n\n### Part\n\n## End {#end}`);
    expect(code).toContain(`<h2 id="start"><span class="number">1.</span> ${first}</h2>`);
    expect(code).toContain('<h2 id="end"><span class="number">2.</span> End</h2>');
    expect(metadata.headings).toEqual([
      { depth: 2, slug: 'start', text: `1. ${first}` },
      { depth: 3, slug: 'part', text: 'Part' },
      { depth: 2, slug: 'end', text: '2. End' },
    ]);
  }
});

test('renders definition lists', async () => {
  const { code } = await render('Profile\n: Your name.\n\nAccount\n: Your email address.');
  expect(code).toContain(
    '<dl>\n<dt>Profile</dt>\n<dd>Your name.</dd>\n<dt>Account</dt>\n<dd>Your email address.</dd>',
  );
});
