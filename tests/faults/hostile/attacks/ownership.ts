import { password } from '../accounts.ts';
import { type Attack, attacker, pick, post, savedPost, send, unique } from '../attack.ts';
import { secret } from '../contents.ts';

export const ownershipAttacks: readonly Attack[] = [
  {
    name: 'posts of another author',
    pause: 50,
    async round(world, n) {
      const { session } = attacker(world, n);
      const { published, draft, linkId } = world.contents;
      const { id } = pick([published, draft], Math.floor(n / 2));
      const path = `/api/posts/${id}`;
      const [method, url, body] = pick<[method: string, path: string, body?: object]>(
        [
          ['PATCH', path, { published: n % 4 < 2 }],
          ['PATCH', path, { slug: `taken-${unique()}` }],
          ['PATCH', path, { content: `${unique()} `.repeat(10_000) }],
          ['PATCH', path, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }],
          ['DELETE', path],
          ['POST', `${path}/restore`],
          ['POST', `${path}/delete-forever`],
          ['GET', `${path}/revisions`],
          ['GET', `${path}/revisions/1`],
          ['PATCH', `${path}/revisions/1`, { name: unique() }],
          ['POST', `${path}/revisions/1/restore`, {}],
          ['GET', `${path}/draft-links`],
          ['POST', `${path}/draft-links`, { lifetime: 'P7D', pinned: false }],
          ['DELETE', `${path}/draft-links/${linkId}`],
          ['POST', '/api/posts', { ...post(unique(), 'Text.'), slug: published.slug }],
          ['GET', `/api/posts/${draft.slug}`],
          ['GET', `/blog/${draft.slug}`],
          ['GET', `/blog/editor/${draft.slug}`],
          ['GET', `/blog/editor/${draft.slug}/history`],
        ],
        n,
      );
      const { status, text } = await send(world, method, url, { session, body });
      if (status >= 200 && status < 300 && url.startsWith('/api/')) {
        world.report(`${method} ${url} was answered with ${status}`);
      }
      if (text.includes(secret)) world.report(`${method} ${url} revealed the draft`);
    },
  },
  {
    name: 'cards of posts that are withdrawn',
    pause: 3_000,
    async round(world, n) {
      const { session } = attacker(world, n);
      const body = post(`Card ${unique()}`, 'Text.');
      const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
      if (!saved.post) return;
      const page = await send(world, 'GET', `/blog/${saved.post.slug}`);
      const card = /\/cards\/[^"./]+\.png/.exec(page.text)?.[0];
      const path = `/api/posts/${saved.post.id}`;
      const withdrawn = await send(world, 'PATCH', path, { session, body: { published: false } });
      if (
        card !== undefined &&
        withdrawn.status === 200 &&
        (await send(world, 'GET', card)).status === 200
      ) {
        world.report(`the card of the unpublished ${saved.post.slug} is still served`);
      }
      await send(world, 'DELETE', path, { session });
    },
  },
  {
    name: 'a post that is renamed again and again',
    pause: 1_000,
    async round(world, n) {
      const { session } = attacker(world, n);
      const body = post(`Renamed ${unique()}`, 'Text.');
      const saved = savedPost(await send(world, 'POST', '/api/posts', { session, body }));
      if (!saved.post) return;
      const path = `/api/posts/${saved.post.id}`;
      for (let rename = 0; rename < 40; rename += 1) {
        await send(world, 'PATCH', path, { session, body: { slug: `renamed-${unique()}` } });
      }
      await send(world, 'DELETE', path, { session });
      if ((await send(world, 'GET', `/blog/${saved.post.slug}`)).status === 200) {
        world.report(`an old URL of the deleted ${saved.post.slug} is still a page`);
      }
    },
  },
  {
    name: 'bodies held back while the session ends',
    pause: 2_000,
    async round(world, n) {
      const { client, note } = world;
      const account = attacker(world, n);
      const credentials = { email: account.email, password };
      const signedIn = await send(world, 'POST', '/api/auth/sign-in', { body: credentials });
      const session = /^session=([^;]+)/.exec(
        signedIn.cookies.find((cookie) => cookie.startsWith('session=')) ?? '',
      )?.[1];
      if (session === undefined) return;
      const title = `Held back ${unique()}`;
      const body = JSON.stringify(post(title, 'Written after the session ended.'));
      const held = client.begin('POST', '/api/posts', { session }, Buffer.byteLength(body));
      held.request.write(body.slice(0, 20));
      await send(world, 'POST', '/api/auth/sign-out', { session });
      held.request.end(body.slice(20));
      const answer = note(await held.answer);
      if (answer.status === 201) world.report('a post was stored after its session had ended');
    },
  },
];
