const fences =
  /((?:^|\n)[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?\n[ \t>]*\2[ \t]*(?=\n|$)|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\3(?!`))/;

/** Changes the text outside code blocks and inline code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  let rest = text;
  let changed = '';
  for (;;) {
    const code = fences.exec(rest);
    if (!code) return changed + change(rest);
    changed += change(rest.slice(0, code.index)) + code[0];
    rest = rest.slice(code.index + code[0].length);
  }
}
