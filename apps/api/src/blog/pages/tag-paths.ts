export const tagPath = (tag: string): string => `/blog/tag/${tag}`;
export const tagMonthPath = (tag: string, month: string): string => `/blog/tag/${tag}/${month}`;

export function readTagPath(path: string): { tag: string; month: string | undefined } | null {
  const match = /^\/blog\/tag\/([^/.]+)(?:\/(\d{4}-\d{2}))?$/.exec(path);
  return match?.[1] === undefined ? null : { tag: match[1], month: match[2] };
}
