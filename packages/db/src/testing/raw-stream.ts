import type { PipelineReply, StatementResult } from '../replica/hrana.ts';

/** A connection of another server to the primary, without a time limit. */
export function openRawStream(url: string) {
  let baton: string | null = null;

  async function execute(sql: string): Promise<StatementResult> {
    const reply = await fetch(`${url}/v3/pipeline`, {
      method: 'POST',
      body: JSON.stringify({
        baton,
        requests: [{ type: 'batch', batch: { steps: [{ stmt: { sql, want_rows: true } }] } }],
      }),
    });
    const body = (await reply.json()) as PipelineReply;
    baton = body.baton;
    const [result] = body.results;
    if (result?.type !== 'ok' || result.response.type !== 'batch') throw new Error(sql);
    const [stored] = result.response.result.step_results;
    if (!stored) throw new Error(result.response.result.step_errors[0]?.message ?? sql);
    return stored;
  }

  return { execute };
}
