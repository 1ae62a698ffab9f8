import { expect, test } from 'vitest';
import { convertText } from './convert/convert-text.ts';
import { type Card, withoutGatedBlocks } from './ghost-cards.ts';
import { lexicalToHtml } from './ghost-lexical.ts';
import { mobiledocToHtml } from './ghost-mobiledoc.ts';

const image = 'https://example.com/a.png';
const url = 'https://example.com/page';

interface Sample {
  names: [lexical: string, mobiledoc: string];
  card: Card;
  /** In the post, in this order. */
  kept: string[];
  notes?: string[];
}

const both = (name: string): [string, string] => [name, name];
const media = { src: 'https://example.com/a.bin', caption: 'A <em>caption</em>' };

const samples: Sample[] = [
  { names: both('html'), card: { html: '<p>Some <b>words</b></p>' }, kept: ['Some **words**'] },
  {
    names: both('markdown'),
    card: { markdown: `## Head\n\n- *one*\n- [two](${url})\n\n<b>three</b> & 5 < 6` },
    kept: ['## Head', '*one*', `[two](${url})`, '**three** & 5 < 6'],
  },
  { names: ['markdown', 'card-markdown'], card: { markdown: 'a **b**' }, kept: ['a **b**'] },
  {
    names: ['codeblock', 'code'],
    card: { code: 'a < b', language: 'js', caption: 'The code' },
    kept: ['```js\na < b\n```', 'The code'],
  },
  { names: ['horizontalrule', 'hr'], card: {}, kept: ['---'] },
  {
    names: both('image'),
    card: { src: image, alt: 'A', caption: 'The <i>A</i>' },
    kept: [`![A](${image} "The A")`],
  },
  {
    names: both('gallery'),
    card: {
      images: [
        { src: image, alt: 'A' },
        { src: image, alt: 'B' },
      ],
      caption: 'Both',
    },
    kept: [`![A](${image})`, `![B](${image})`, 'Both'],
  },
  {
    names: both('before-after'),
    card: { beforeImage: { src: image, alt: 'A' }, afterImage: { src: image, alt: 'B' } },
    kept: [`![A](${image})`, `![B](${image})`],
  },
  {
    names: both('bookmark'),
    card: { url, metadata: { title: 'A page', description: 'About it' }, caption: 'See' },
    kept: [`[A page](${url})`, 'About it', 'See'],
  },
  { names: both('bookmark'), card: { url, title: 'A page' }, kept: [`[A page](${url})`] },
  {
    names: both('embed'),
    card: { url, html: `<iframe src="${image}"></iframe>`, caption: 'Watch' },
    kept: [url, 'Watch'],
  },
  { names: both('embed'), card: { html: '<blockquote>Words</blockquote>' }, kept: ['> Words'] },
  {
    names: both('video'),
    card: { ...media, fileName: 'a.mp4' },
    kept: [`[a.mp4](${media.src})`, 'A *caption*'],
  },
  { names: both('audio'), card: { ...media, title: 'Song' }, kept: [`[Song](${media.src})`] },
  {
    names: both('file'),
    card: { src: media.src, fileTitle: 'Plan', fileName: 'a.pdf', fileCaption: 'For <you>' },
    kept: [`[Plan](${media.src})`, 'For \\<you>'],
  },
  { names: both('file'), card: { src: media.src, fileName: 'a.pdf' }, kept: ['[a.pdf]('] },
  {
    names: both('button'),
    card: { buttonUrl: url, buttonText: 'Go & see' },
    kept: [`[Go & see](${url})`],
  },
  {
    names: both('callout'),
    card: { calloutEmoji: '💡', calloutText: 'Mind <b>this</b>' },
    kept: ['> 💡 Mind **this**'],
  },
  {
    names: both('toggle'),
    card: { heading: 'Why?', content: '<p>Because.</p>' },
    kept: ['**Why?**', 'Because.'],
  },
  {
    names: both('header'),
    card: {
      ...{ header: 'Big <i>words</i>', subheader: 'Small', backgroundImageSrc: image },
      ...{ buttonEnabled: true, buttonUrl: url, buttonText: 'Go' },
    },
    kept: [`![](${image})`, '## Big *words*', 'Small', `[Go](${url})`],
  },
  {
    names: both('product'),
    card: {
      ...{
        productImageSrc: image,
        productTitle: 'Pen',
        productDescription: '<p>It <b>writes</b></p>',
      },
      ...{ productRatingEnabled: true, productStarRating: 4 },
      ...{ productButtonEnabled: true, productUrl: url, productButton: 'Buy' },
    },
    kept: [`![](${image})`, 'Pen', '★★★★☆', 'It **writes**', `[Buy](${url})`],
  },
  {
    names: both('call-to-action'),
    card: {
      ...{ hasSponsorLabel: true, sponsorLabel: '<p>Sponsored</p>', imageUrl: image },
      ...{ textValue: '<p>Try <b>it</b></p>', buttonUrl: url, buttonText: 'Try' },
    },
    kept: ['Sponsored', `![](${image})`, 'Try **it**', `[Try](${url})`],
  },
  ...['email', 'email-cta'].map((name) => ({
    names: both(name),
    card: { html: '<p>Secret</p>', buttonText: 'Secret', buttonUrl: url },
    kept: [],
    notes: ['Text that was only in emails is left out.'],
  })),
  {
    names: both('paywall'),
    card: {},
    kept: [],
    notes: ['The line above text for members is left out.'],
  },
  {
    names: both('signup'),
    card: { header: 'Join' },
    kept: [],
    notes: ['A sign-up form is left out.'],
  },
  {
    names: both('transistor'),
    card: {},
    kept: [],
    notes: ['A list of podcasts for members is left out.'],
  },
  {
    names: both('poll'),
    card: { url },
    kept: [url],
    notes: ['The card "poll" became its text or link.'],
  },
  { names: both('poll'), card: {}, kept: [], notes: ['The card "poll" is left out.'] },
];

const paragraph = { type: 'paragraph', children: [{ type: 'text', text: 'Before' }] };

function converted(html: string, notes: string[]) {
  const result = convertText({ format: 'html', text: html });
  if ('problem' in result) throw new Error(result.problem);
  return { markdown: result.markdown, notes: [...notes, ...result.notes] };
}

function fromLexical(name: string, card: Card) {
  const notes: string[] = [];
  const root = { children: [paragraph, { ...card, type: name }] };
  return converted(
    lexicalToHtml({ root }, (note) => notes.push(note)),
    notes,
  );
}

function fromMobiledoc(name: string, card: Card) {
  const notes: string[] = [];
  const sections = [
    [1, 'p', [[0, [], 0, 'Before']]],
    [10, 0],
  ];
  const document = { version: '0.3.1', cards: [[name, card]], sections };
  return converted(
    mobiledocToHtml(document, (note) => notes.push(note)),
    notes,
  );
}

test.each(samples)('keeps the card $names', ({ names, card, kept, notes = [] }) => {
  const all = [fromLexical(names[0], card), fromMobiledoc(names[1], card)];
  for (const { markdown, notes: found } of all) {
    const positions = ['Before', ...kept].map((text) => markdown.indexOf(text));
    expect(positions, markdown).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(markdown).not.toContain('Secret');
    expect(found).toEqual(notes);
  }
});

const hidden = [
  { web: { nonMember: false, memberSegment: 'status:free' }, email: { memberSegment: '' } },
  { web: {}, email: {} },
  { showOnWeb: false, showOnEmail: true, segment: '' },
  { emailOnly: true, segment: 'status:free' },
];
const visible = [
  { web: { nonMember: true, memberSegment: '' }, email: { memberSegment: '' } },
  { showOnWeb: true, showOnEmail: true, segment: '' },
  { emailOnly: false, segment: '' },
];

test('leaves out cards that visitors did not see', () => {
  const card = (visibility: object) => ({ html: '<p>Words</p>', visibility });
  for (const visibility of hidden) {
    const { markdown, notes } = fromLexical('html', card(visibility));
    expect(markdown).toBe('Before');
    expect(notes).toEqual(['A part that visitors did not see is left out.']);
  }
  for (const visibility of visible) {
    expect(fromLexical('html', card(visibility)).markdown).toContain('Words');
  }
});

test('leaves out parts of rendered HTML that visitors did not see', () => {
  const part = (attributes: string, text: string) =>
    `<!--kg-gated-block:begin ${attributes} --><p>${text}</p><!--kg-gated-block:end-->`;
  const html = [
    '<p>Start</p>',
    part('nonMember:true memberSegment:""', 'shown'),
    part('nonMember:false memberSegment:"status:free,status:-free"', 'Secret nonMember:true'),
    '<p>Middle</p>',
    part('memberSegment:"status:free"', 'Secret'),
    '<p>End</p>',
    '<!--kg-gated-block:begin nonMember:false --><p>Secret</p>',
  ].join('\n');
  const notes = new Set<string>();
  const shown = withoutGatedBlocks(html, (note) => notes.add(note));
  expect(converted(shown, []).markdown).toBe('Start\n\nshown\n\nMiddle\n\nEnd');
  expect([...notes]).toEqual(['A part that visitors did not see is left out.']);
});
