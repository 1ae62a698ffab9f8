import { randomBytes } from 'node:crypto';
import { maxScans, progressiveJpeg } from '@app/api/src/testing/progressive-jpeg.ts';
import { type Attack, attacker, pick, send, type World } from '../attack.ts';
import type { Reply } from '../client.ts';

function upload(world: World, n: number, [method, path]: Target, image: Buffer): Promise<Reply> {
  const { session } = attacker(world, n);
  const boundary = 'boundary';
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    image,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return send(world, method, path, { session, body, headers });
}

type Target = readonly [method: string, path: string];
const avatar: Target = ['PUT', '/api/profile/avatar'];
const picture: Target = ['POST', '/api/posts/pictures'];

/** Of 25 megapixels: the first one is refused for its scans, the other one takes a second. */
const progressive = [maxScans, 100].map((scans) =>
  progressiveJpeg({ width: 5_000, height: 5_000, scans }),
);

/** The head of a PNG that claims 65,000 × 65,000 pixels. */
const hugePng = Buffer.from('89504e470d0a1a0a0000000d494844520000fde80000fde80802000000', 'hex');

export const imageAttacks: readonly Attack[] = [
  {
    name: 'avatars of many scans',
    pause: 100,
    workers: 4,
    async round(world, n) {
      await upload(world, n, avatar, pick(progressive, n));
    },
  },
  {
    name: 'pictures of many scans',
    pause: 100,
    workers: 4,
    async round(world, n) {
      await upload(world, n + 6, picture, pick(progressive, n));
    },
  },
  {
    name: 'broken avatars',
    pause: 500,
    async round(world, n) {
      const noise = randomBytes(n % 2 === 0 ? 50_000 : 1_000_000);
      await upload(world, n, avatar, n % 2 === 0 ? Buffer.concat([hugePng, noise]) : noise);
    },
  },
];
