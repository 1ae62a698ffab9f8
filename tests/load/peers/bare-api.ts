// The smallest possible server for GET /api/posts/{slug}, as a baseline for the API: node:http, the
// same prepared statement, and JSON. Arguments: database, port.
import { createServer } from 'node:http';
import { open } from '@app/db/open';

const [, , file = '', port = ''] = process.argv;
const statement = open(file).$client.prepare(
  `SELECT p.id, p.slug, p.title, p.excerpt, p.content, p.cover_image AS coverImage, p.published,
          p.author_id AS authorId, p.version, p.created_at AS createdAt, p.updated_at AS updatedAt,
          a.full_name AS fullName, a.avatar_url AS avatarUrl
   FROM blog_posts p LEFT JOIN profiles a ON a.id = p.author_id WHERE p.slug = ?`,
);

createServer((request, response) => {
  const post = statement.get(request.url?.slice('/api/posts/'.length));
  if (!post) {
    response.writeHead(404).end();
    return;
  }
  const body = JSON.stringify(post);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
