/** A Markdown file. Values are JSON, which is valid YAML (YAML 1.2 §1.3). */
export function withFrontMatter(values: Readonly<Record<string, unknown>>, text: string): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${text}\n`;
}
