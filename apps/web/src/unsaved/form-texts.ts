import { type Tag, writtenExcerpt } from '@app/contract/blog/posts';
import { readSchedule } from '@app/contract/blog/schedule';
import { tagsText } from '@app/contract/blog/tags';

/** The texts of the form, valid or not. */
export interface PostTexts {
  title: string;
  slug: string;
  coverImage: string;
  tags: string;
  excerpt: string;
  content: string;
  published: boolean;
  /** ISO 8601; null for none. Absent if it equals that of the post. */
  scheduledAt?: string | null;
}

export const textsOf = (form: HTMLFormElement): PostTexts => {
  const fields = new FormData(form);
  const text = (name: string) => String(fields.get(name) ?? '');
  return {
    title: text('title'),
    slug: text('slug'),
    coverImage: text('coverImage'),
    tags: text('tags'),
    excerpt: text('excerpt'),
    content: text('content'),
    published: fields.has('published'),
    ...scheduleIn(fields),
  };
};

/** Ignored if the post is published. */
const scheduleIn = (fields: FormData): Pick<PostTexts, 'scheduledAt'> => {
  const text = (name: string) => fields.get(name)?.toString();
  const { scheduledAt } = readSchedule({
    scheduledAt: text('scheduledAt'),
    scheduledBefore: text('scheduledBefore'),
    timeZone: text('timeZone'),
  });
  const isNone = fields.has('published') || scheduledAt === undefined;
  // An incomplete time, which is still being typed.
  const isUnfinished = scheduledAt && Number.isNaN(Date.parse(scheduledAt));
  return isNone || isUnfinished ? {} : { scheduledAt };
};

interface InitialTexts extends Omit<PostTexts, 'coverImage' | 'tags' | 'scheduledAt'> {
  coverImage: string | null;
  tags: string | readonly Tag[];
}

/** The texts of the form before anything is typed. */
export const initialTexts = (fields: InitialTexts | null | undefined): PostTexts => {
  const { title = '', slug = '', excerpt = '', content = '', published = false } = fields ?? {};
  return {
    ...{ title, slug, published },
    content: asInTextarea(content),
    excerpt: asInTextarea(writtenExcerpt({ excerpt, content })),
    coverImage: fields?.coverImage ?? '',
    tags: tagsText(fields?.tags ?? ''),
  };
};

/** Posts from the API can have other line breaks. */
const asInTextarea = (text: string): string => text.replace(/\r\n?/g, '\n');

export const sameTexts = (a: PostTexts, b: PostTexts): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof PostTexts)[]).every((name) => a[name] === b[name]);
