import type { Tag } from '@app/contract/blog/posts';
import { tagsText } from '@app/contract/blog/tags';

/** What the form holds, whatever of it is valid. */
export interface PostTexts {
  title: string;
  slug: string;
  coverImage: string;
  tags: string;
  excerpt: string;
  content: string;
  published: boolean;
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
  };
};

interface InitialTexts extends Omit<PostTexts, 'coverImage' | 'tags'> {
  coverImage: string | null;
  tags: string | readonly Tag[];
}

/** Those of the form before anything is typed. */
export const initialTexts = (fields: InitialTexts | null | undefined): PostTexts => {
  const { title = '', slug = '', excerpt = '', content = '', published = false } = fields ?? {};
  return {
    ...{ title, slug, excerpt, content, published },
    coverImage: fields?.coverImage ?? '',
    tags: tagsText(fields?.tags ?? ''),
  };
};

export const sameTexts = (a: PostTexts, b: PostTexts): boolean =>
  (Object.keys(a) as (keyof PostTexts)[]).every((name) => a[name] === b[name]);
