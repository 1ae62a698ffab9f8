const isLetterOrDigit = (character: string | undefined): boolean =>
  character !== undefined && /[a-z\d]/i.test(character);

/**
 * A bare URL in a text without the punctuation of the sentence around it, and without a character
 * reference at its end (GFM, 6.9). Takes linear time.
 */
export function withoutPunctuation(url: string): string {
  let unopened = url.split(')').length - url.split('(').length;
  let end = url.length;
  for (; end > 0; end -= 1) {
    const last = url[end - 1] ?? '';
    if (last === ';') end = startOfReference(url, end) + 1;
    else if (last === ')' && unopened > 0) unopened -= 1;
    else if (!'?!.,:*_~\'"'.includes(last)) break;
  }
  return url.slice(0, end);
}

/** Where the reference begins that ends with a semicolon; the semicolon if there is none. */
function startOfReference(url: string, end: number): number {
  let start = end - 2;
  while (isLetterOrDigit(url[start])) start -= 1;
  return url[start] === '&' && start < end - 2 ? start : end - 1;
}
