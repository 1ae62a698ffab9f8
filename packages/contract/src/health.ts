import * as v from 'valibot';

export const healthReply = v.strictObject({
  status: v.picklist(['ok', 'degraded']),
  problems: v.pipe(v.array(v.string()), v.description('One sentence each.')),
  versions: v.strictObject({
    app: v.pipe(v.string(), v.description('The version in the changelog.')),
    node: v.string(),
    build: v.pipe(v.string(), v.description('A hash of the built site.')),
  }),
  queues: v.exactOptional(
    v.pipe(
      v.nullable(
        v.strictObject({
          mail: v.strictObject({ queued: v.number(), dead: v.number() }),
          publishing: v.strictObject({ pending: v.number() }),
        }),
      ),
      v.description(
        'Only for requests with METRICS_TOKEN (`Authorization: Bearer`). Null when the database cannot be read.',
      ),
    ),
  ),
  reports: v.pipe(
    v.strictObject({ errors: v.number(), policyViolations: v.number() }),
    v.description('Sent by browsers since the server started. Anyone can send them.'),
  ),
});
export type HealthReply = v.InferOutput<typeof healthReply>;

export const liveReply = v.strictObject({ status: v.literal('live') });
export type LiveReply = v.InferOutput<typeof liveReply>;

export const readyReply = v.strictObject({ status: v.literal('ready') });
export type ReadyReply = v.InferOutput<typeof readyReply>;

export const connectionReply = v.strictObject({
  server: v.pipe(v.string(), v.description('A random id of the process.')),
  client: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The IP address or network of this client, as rate limits count it; null if none.',
    ),
  ),
});
export type ConnectionReply = v.InferOutput<typeof connectionReply>;
