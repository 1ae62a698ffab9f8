// The least that can answer with a page: node:http and the compressed page in memory. What the
// server is compared with. Arguments: the compressed page, port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , file = '', port = ''] = process.argv;
const page = readFileSync(file);

createServer((_request, response) => {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'gzip',
    'Content-Length': page.length,
  });
  response.end(page);
}).listen(Number(port), '127.0.0.1');
