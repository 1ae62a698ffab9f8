import { excerptOf, type Post } from '@app/contract/blog/posts';
import { callApi } from '../../http/call-api.ts';
import { initialTexts, type PostTexts, sameTexts } from '../../unsaved/form-texts.ts';

/** The post, if it is as one of these saves has stored it, whose answer was lost. */
export const findStored = async (
  unanswered: readonly PostTexts[],
  isOwn: (post: Post) => boolean,
  signal: AbortSignal,
): Promise<Post | null> => {
  for (const sent of unanswered.toReversed()) {
    const reply = await callApi<Post>('GET', `/api/posts/${sent.slug}`, undefined, { signal });
    if (reply.ok && isOwn(reply.value) && isStored(reply.value, sent)) return reply.value;
  }
  return null;
};

const isStored = (post: Post, { excerpt, ...texts }: PostTexts): boolean => {
  const { scheduledAt } = post;
  return sameTexts(
    { scheduledAt, ...initialTexts(post) },
    // An empty excerpt is created from the content.
    { scheduledAt, ...texts, excerpt: excerpt || excerptOf(texts.content) },
  );
};
