/** Decompresses a response, as `fetch` does. Requests within the process do not. */
export function decoded({ body, headers }: Response): Response {
  const encoding = headers.get('Content-Encoding') as 'gzip' | 'deflate' | null;
  return new Response(encoding ? body?.pipeThrough(new DecompressionStream(encoding)) : body);
}
