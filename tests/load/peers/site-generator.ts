import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { seededPost } from '../seed.ts';

const buildMinutes = 4;

/** A static site generator, with a blog of the same posts: their pages, a list and a feed of 20. */
export interface SiteGenerator {
  name: string;
  /**
   * Installs the generator if necessary, and writes the posts and the templates.
   * @throws if it cannot be installed
   */
  create(folder: string, posts: number): Promise<GeneratedSite>;
}

export interface GeneratedSite {
  /** With its version. */
  name: string;
  build(): Promise<void>;
  source(n: number): string;
  output(n: number): string;
  /** Starts to watch the sources. Undefined if the generator has no such mode. */
  watch?(): Promise<Watch>;
}

export interface Watch extends AsyncDisposable {
  name: string;
  /** The current page of a post. */
  read(n: number): Promise<string>;
}

export async function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, ...env },
    timeout: buildMinutes * 60_000,
    maxBuffer: 2 ** 28,
  });
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

export function writePosts(folder: string, posts: number): void {
  const files = Array.from({ length: posts }, (_, n) => [`post-${n}.md`, postFile(n)]);
  writeFiles(folder, Object.fromEntries(files));
}

/** A post of `seed` as Markdown with front matter. */
export function postFile(n: number, end = ''): string {
  const { title, excerpt, content, createdAt } = seededPost(n);
  const frontMatter = [
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(excerpt)}`,
    `date: ${new Date(createdAt).toISOString()}`,
  ];
  return `---\n${frontMatter.join('\n')}\n---\n\n${content}\n\n${end}\n`;
}

/** The HTML around the content of each page, the same for each generator. */
export const page = (head: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${head}
</head>
<body>${body}</body>
</html>
`;

/** A link saves copying thousands of files. */
export const linkModules = (installed: string, folder: string): void =>
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
