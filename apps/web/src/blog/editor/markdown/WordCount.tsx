import { countMarkdownWords, readingMinutes } from '@app/contract/blog/reading-time';
import { editor } from '@app/site/blog/editor';
import { type RefObject, useEffect, useState } from 'react';

/** In milliseconds. */
const typingPause = 500;

interface WordCountProps {
  textarea: RefObject<HTMLTextAreaElement | null>;
  text: () => string;
}

export const WordCount = ({ textarea, text }: WordCountProps) => {
  const [words, setWords] = useState<number | null>(null);

  useEffect(() => {
    const field = textarea.current;
    if (!field) return;
    let timer: ReturnType<typeof setTimeout>;
    let counted = 0;
    const count = () => {
      counted = countMarkdownWords(text());
      setWords(counted);
    };
    const schedule = () => {
      clearTimeout(timer);
      // 'No words yet' must not stay while the first ones are typed.
      if (counted === 0) count();
      else timer = setTimeout(count, typingPause);
    };
    count();
    field.addEventListener('input', schedule);
    return () => {
      clearTimeout(timer);
      field.removeEventListener('input', schedule);
    };
  }, [textarea, text]);

  return (
    <p className="min-h-9.25 border-t border-border px-3.5 py-2 text-sm text-muted-foreground noscript:hidden!">
      {words !== null && editor.length(words, readingMinutes(words))}
    </p>
  );
};
