// The smallest possible server for a page, as a baseline: node:http with the compressed page in
// memory. Arguments: the compressed page, port.
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
