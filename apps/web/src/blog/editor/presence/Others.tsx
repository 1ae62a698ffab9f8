import { editor } from '@app/site/blog/editor';
import { useOthers } from './use-others.ts';

/** Shows who else has the post open. Empty for a new post. */
export const Others = ({ post }: { post: string | undefined }) => {
  const names = useOthers(post);
  return (
    <p className="-mt-4 w-full text-sm text-muted-foreground empty:hidden" role="status">
      {names.length > 0 && editor.others(names)}
    </p>
  );
};
