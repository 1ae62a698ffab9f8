import { countMarkdownWords, readingMinutes } from '@app/contract/blog/reading-time';
import { editor } from '@app/site/blog/editor';
import { type RefObject, useEffect, useState } from 'react';

/** In milliseconds. */
const interval = 500;

/** Counting more words could be noticeable, so it waits for a pause in typing. */
const quicklyCounted = 5_000;

interface WordCountProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  text: () => string;
}

export const WordCount = ({ textarea, text }: WordCountProps) => {
  const [words, setWords] = useState<number | null>(null);

  useEffect(() => {
    const field = textarea.current;
    if (!field) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let counted = 0;
    const count = () => {
      timer = undefined;
      counted = countMarkdownWords(text());
      setWords(counted);
    };
    const schedule = () => {
      // 'No words yet' must not stay while the first ones are typed.
      if (counted === 0) return count();
      if (counted > quicklyCounted) {
        clearTimeout(timer);
        timer = undefined;
      }
      timer ??= setTimeout(count, interval);
    };
    count();
    field.addEventListener('input', schedule);
    return () => {
      clearTimeout(timer);
      field.removeEventListener('input', schedule);
    };
  }, [textarea, text]);

  return (
    <p className="min-h-9.25 border-t border-border px-3.5 py-2 text-sm text-muted-foreground">
      {words !== null && editor.length(words, readingMinutes(words))}
    </p>
  );
};
