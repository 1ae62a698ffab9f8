import { htmlToText } from './convert/html-to-text.ts';
import { latest, timeOf } from './dates.ts';
import { type Fields, keyOf } from './fields.ts';
import { idOfKey } from './post-id.ts';
import { isSuspicious, type Publication, publicationOf, withheldParts } from './publication.ts';
import { siteUrlOf } from './site-url.ts';
import { type SkippedItem, type Source, SourceError, type SourcePost } from './source.ts';
import { type Element, readElements } from './xml-elements.ts';

interface Channel {
  site: string;
  emails: Map<string, string>;
  /** Attachments by id. */
  pictures: Map<string, string>;
  count: number;
}

/** Several times the longest excerpt. */
const maxPlainText = 5_000;

const skippedTypes = new Set([
  'attachment',
  'nav_menu_item',
  'revision',
  'custom_css',
  'customize_changeset',
  'wp_global_styles',
  'wp_navigation',
  'wp_template',
  'wp_template_part',
]);

/**
 * Opens a WordPress export (WXR). The file can be larger than memory. It is read twice, because
 * attachments may follow the posts that show them.
 * @throws {SourceError}
 */
export async function openWordPress(file: string, givenUrl: string | null): Promise<Source> {
  const channel = await readChannel(file);
  return {
    kind: 'WordPress export',
    count: channel.count,
    siteUrl: givenUrl ?? siteUrlOf(channel.site),
    async *items() {
      for await (const item of readElements(file, isRecord)) {
        if (item.name !== 'item' || skippedTypes.has(item.text('wp:post_type'))) continue;
        yield toPost(item, channel);
      }
    },
  };
}

const isRecord = (path: string): boolean =>
  /^rss\/channel\/(?:item|wp:author|wp:base_blog_url)$/.test(path);

async function readChannel(file: string): Promise<Channel> {
  const channel: Channel = { site: '', emails: new Map(), pictures: new Map(), count: 0 };
  let records = 0;
  try {
    for await (const element of readElements(file, isRecord)) {
      records += 1;
      readRecord(element, channel);
    }
  } catch (error) {
    throw new SourceError(
      `${file} is not valid XML (${(error as Error).message.replace(/\s+/g, ' ')}).`,
    );
  }
  if (records > 0) return channel;
  throw new SourceError(`${file} is XML, but not a WordPress export: it has no rss/channel/item.`);
}

function readRecord(element: Element, channel: Channel): void {
  if (element.name === 'wp:base_blog_url') channel.site = element.text('');
  if (element.name === 'wp:author') {
    channel.emails.set(element.text('wp:author_login'), element.text('wp:author_email'));
  }
  if (element.name !== 'item') return;
  const type = element.text('wp:post_type');
  if (type === 'attachment') {
    channel.pictures.set(element.text('wp:post_id'), element.text('wp:attachment_url'));
  }
  if (!skippedTypes.has(type)) channel.count += 1;
}

function toPost(item: Element, { site, emails, pictures }: Channel): SourcePost | SkippedItem {
  const postId = item.text('wp:post_id');
  const title = plainText(item.text('title'));
  const name = item.text('wp:post_name') || title || `post ${postId}`;
  const type = item.text('wp:post_type') || 'post';
  if (type !== 'post') return { name, skipped: `Its type is "${type}", not "post".` };
  if (item.isTooLong) return { name, skipped: 'Its text is too long.' };
  const status = item.text('wp:status');
  if (status === 'trash' || status === 'auto-draft') {
    return { name, skipped: `Its status is "${status}".` };
  }
  const date =
    time(item, 'wp:post_date_gmt') ?? timeOf(item.text('pubDate')) ?? time(item, 'wp:post_date');
  const isScheduled = status === 'future';
  const { published, from, until, notes } = publicationIn(item);
  return {
    name,
    id: idOfKey(`wordpress:${site}:${postId || item.text('guid')}`),
    title,
    slug: decoded(item.text('wp:post_name')),
    text: item.text('content:encoded'),
    format: 'wordpress',
    excerpt: plainText(item.text('excerpt:encoded')),
    cover: pictures.get(thumbnailOf(item)) ?? '',
    tags: tagsOf(item),
    published: published && status === 'publish',
    oldSlugs: [],
    scheduledAt: published ? latest(from, isScheduled ? date : null) : null,
    expiresAt: until,
    createdAt: isScheduled ? null : date,
    updatedAt: time(item, 'wp:post_modified_gmt'),
    author: emails.get(item.text('dc:creator')) || null,
    notes,
  };
}

/** Whether WordPress shows it to everybody, or will. */
function publicationIn(item: Element): Publication {
  const { published, from, until, notes } = publicationOf(publicationMeta(item));
  const status = item.text('wp:status');
  const isShown = status === 'publish' || status === 'future';
  const parts = withheldParts(item.text('content:encoded'), 'wordpress');
  const hasPassword = item.text('wp:post_password') !== '';
  if (hasPassword) notes.unshift('It had a password: imported as a draft.');
  if (!isShown && status !== 'draft') {
    notes.unshift(`Its status is "${status}": imported as a draft.`);
  }
  return {
    published: published && isShown && !hasPassword && parts.length === 0,
    ...{ from, until },
    notes: [...notes, ...parts],
  };
}

/** Titles and excerpts contain entities, and may contain tags. */
const plainText = (html: string): string => htmlToText(html.slice(0, maxPlainText));

/** Includes categories, except the default one of posts without a category. */
const tagsOf = (item: Element): string[] =>
  item
    .children('category')
    .filter(({ attributes: { domain, nicename } }) =>
      domain === 'category' ? nicename !== 'uncategorized' : domain === 'post_tag',
    )
    .map((tag) => plainText(tag.text('')));

/** Null for drafts, which have the date 0000-00-00. */
const time = (item: Element, name: string): number | null => timeOf(item.text(name));

const metaOf = (item: Element): [string, string][] =>
  item
    .children('wp:postmeta')
    .map((meta) => [meta.text('wp:meta_key'), meta.text('wp:meta_value')]);

const thumbnailOf = (item: Element): string =>
  metaOf(item).find(([name]) => name === '_thumbnail_id')?.[1] ?? '';

/** Fields of plugins that may withhold the post, such as _expiration-date in seconds. */
const publicationMeta = (item: Element): Fields =>
  Map.groupBy(
    metaOf(item)
      // Plugins have many fields of their own, with values of any kind.
      .filter(([name, value]) => isSuspicious(name) || /\bnoindex\b/.test(value))
      .map(([name, value]) => ({
        name,
        value: /^\d{10}$/.test(value) ? new Date(Number(value) * 1000) : value,
      })),
    ({ name }) => keyOf(name),
  );

/** Slugs in other scripts are percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
