/** Cancels the body, which would hold the connection. */
export async function statusOf(sent: Promise<Response>): Promise<number> {
  const response = await sent;
  await response.body?.cancel();
  return response.status;
}
