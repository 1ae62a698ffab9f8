import { type Post, writtenExcerpt } from '@app/contract/blog/posts';
import { callApi } from '../../http/call-api.ts';
import { initialTexts, type PostTexts, sameTexts } from '../../unsaved/form-texts.ts';

/** Finds the post if one of these saves has stored it although its reply was lost. */
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

const isStored = (post: Post, sent: PostTexts): boolean => {
  const { scheduledAt } = post;
  return sameTexts(
    { scheduledAt, ...initialTexts(post) },
    { scheduledAt, ...sent, excerpt: writtenExcerpt(sent) },
  );
};
