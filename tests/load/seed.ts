import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { markdownOfPicture } from '@app/contract/blog/picture-markdown';
import { picturePath } from '@app/contract/blog/pictures';
import { day } from '@app/contract/durations';
import { migrate } from '@app/db/migrate';
import { close, open } from '@app/db/open';
import { sessions, users } from '@app/db/schema/accounts';
import { blogPosts } from '@app/db/schema/blog';
import { pictures } from '@app/db/schema/pictures';

const sessionId = 'bench-session';

/** The published post number `n`, counted back from the newest: one per day. */
export const seededPost = (n: number, now = Date.now()) => {
  const content = contentOf(n);
  return {
    title: `What callers said on day ${n}`,
    excerpt: `${content.slice(0, 150)}...`,
    content,
    createdAt: now - n * day,
  };
};

/** Three kilobytes with a heading, a list and a table. */
const contentOf = (n: number): string =>
  [
    `## Call number ${n}`,
    ...Array.from(
      { length: 6 },
      (_, i) =>
        `Paragraph ${i} of post ${n}. The phone rings while you are on a ladder, and the caller hangs up after the fourth ring. **Somebody else** gets the job, and you never learn that there was one. Write down who called, what they need and when they are at home.`,
    ),
    '### What to note',
    ['name and address', 'what broke', 'since when', 'who lets you in']
      .map((item) => `- ${item}`)
      .join('\n'),
    '| Hour | Calls |\n| --- | --- |\n| 8 | 12 |\n| 12 | 7 |\n| 21 | 9 |',
    ...Array.from(
      { length: 6 },
      (_, i) =>
        `And paragraph ${i} once more for post ${n}: a call at 9:40 pm becomes a job at 8:00 am when somebody answers it, asks the two questions that matter and puts it into the calendar.`,
    ),
  ].join('\n\n');

const seededPictures = ['0', '1', '2'].map((digit) => ({
  id: digit.repeat(24),
  width: 1_600,
  height: 1_200,
}));

const withPictures = (content: string): string =>
  [
    content,
    ...seededPictures.map((picture) => markdownOfPicture(picturePath(picture), 'A van')),
  ].join('\n\n');

const tagsOf = (n: number) =>
  Array.from({ length: 5 }, (_, i) => {
    const number = 5 * (n % 2) + i;
    return { slug: `topic-${number}`, name: `Topic ${number}` };
  });

interface SeedOptions {
  /** Each post has five of ten tags, and three pictures. */
  isRich?: boolean;
}

/** A database with one signed-in writer and `count` published posts, one per day until today. */
export function seed(dataDir: string, count: number, { isRich = false }: SeedOptions = {}): void {
  mkdirSync(dataDir, { recursive: true });
  const db = open(join(dataDir, 'site.db'));
  migrate(db);
  const now = Date.now();
  db.transaction(() => {
    // Staff, because members have a publishing quota.
    const author = { id: 'bench-author', email: 'author@example.com' };
    db.insert(users)
      .values({ ...author, role: 'staff', createdAt: now, emailConfirmedAt: now })
      .run();
    const tokenHash = createHash('sha256').update(sessionId).digest('hex');
    const expiresAt = now + 29 * day;
    const times = { expiresAt, createdAt: now, signedInAt: now, lastSeenAt: now };
    db.insert(sessions)
      .values({ tokenHash, id: 'bench-session', userId: author.id, device: '', ...times })
      .run();
    for (const { id, width, height } of seededPictures) {
      const size = { width, height, bytes: 1_000_000 };
      db.insert(pictures)
        .values({ id, userId: author.id, ...size, alt: 'A van', createdAt: now })
        .run();
    }
    for (let n = 0; n < count; n += 1) {
      const post = seededPost(n, now);
      const { createdAt } = post;
      const content = isRich ? withPictures(post.content) : post.content;
      db.insert(blogPosts)
        .values({
          id: `post-${n}`,
          slug: `post-${n}`,
          ...post,
          content,
          tags: isRich ? tagsOf(n) : [],
          published: true,
          authorId: author.id,
          authorEmail: author.email,
          updatedAt: createdAt,
        })
        .run();
    }
  });
  close(db);
}

export const newPostBody = (n: number) => ({
  title: `Published while measured ${n}`,
  slug: `published-while-measured-${n}`,
  content: contentOf(100_000 + n),
  tags: [] as string[],
  published: true,
});

export const newRichPostBody = (n: number): ReturnType<typeof newPostBody> => {
  const post = newPostBody(n);
  return {
    ...post,
    content: withPictures(post.content),
    tags: tagsOf(n).map(({ name }) => name),
  };
};

export const writerHeaders = (origin: string) => ({
  'Content-Type': 'application/json',
  Origin: origin,
  Cookie: `session=${sessionId}`,
});
