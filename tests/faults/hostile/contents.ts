import type { Account } from './accounts.ts';
import type { Client } from './client.ts';

/** What attackers try to reach. */
export interface Contents {
  published: { id: string; slug: string };
  draft: { id: string; slug: string };
  /** Of a link to the draft. */
  linkId: string;
  /** Paths of the scripts and styles of /api/docs/reference. */
  docsAssets: readonly string[];
}

/** In the title and the text of the draft. */
export const secret = 'Nobody else may read this';

export async function createContents(client: Client, { session }: Account): Promise<Contents> {
  async function send<T>(path: string, body: object): Promise<T> {
    const { status, text } = await client.call('POST', path, { session, body });
    if (status !== 201) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
    return JSON.parse(text) as T;
  }
  const save = async (title: string, published: boolean) => {
    const body = { title, content: title, published };
    const { post } = await send<{ post: { id: string; slug: string } }>('/api/posts', body);
    return { id: post.id, slug: post.slug };
  };
  const published = await save('A post that only its author changes', true);
  const draft = await save(secret, false);
  const path = `/api/posts/${draft.id}/draft-links`;
  const { link } = await send<{ link: { id: string } }>(path, { lifetime: 'P7D', pinned: false });
  const reference = await client.call('GET', '/api/docs/reference');
  const docsAssets = reference.text.match(/\/api\/docs\/assets\/[^"]+/g) ?? [];
  return { published, draft, linkId: link.id, docsAssets };
}
