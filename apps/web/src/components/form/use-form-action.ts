import type { InputIssue } from '@app/contract/problems';
import {
  type SubmitEvent,
  startTransition,
  useActionState,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface Outcome<Result> {
  issues?: readonly InputIssue[];
  /** Shown until the next submit. */
  result?: Result;
  /** Shows the result until the next submit has finished. */
  isLasting?: boolean;
  /** Hides the result after this many seconds. */
  expiresAfter?: number;
}

interface Submission {
  form: HTMLFormElement;
  submitter: HTMLElement | null;
}

/**
 * Submits forms through a React action. Dispatches it in `onSubmit` instead of passing it as
 * `action`, so that the form keeps its URL for browsers without JavaScript, and React does not
 * reset its fields. `unexpected` is the result of an action that throws. Must not wait for another action, because React finishes concurrent actions
 * together.
 */
export const useFormAction = <Result>(
  action: (form: HTMLFormElement) => Promise<Outcome<Result>>,
  unexpected?: Result,
) => {
  const isRunning = useRef(false);
  const [last, dispatch, isPending] = useActionState(
    async (
      _: (Outcome<Result> & Submission) | null,
      submission: Submission,
    ): Promise<Outcome<Result> & Submission> => {
      try {
        return { ...(await action(submission.form)), ...submission };
      } catch (error) {
        // React would unmount the form with everything that was typed.
        reportError(error);
        return { ...submission, ...(unexpected !== undefined && { result: unexpected }) };
      } finally {
        isRunning.current = false;
      }
    },
    null,
  );
  const [shown, setShown] = useState<{ last: typeof last; result: Result | null }>();

  useLayoutEffect(() => {
    // A disabled button loses the focus.
    if (document.activeElement === document.body) last?.submitter?.focus({ preventScroll: true });
  }, [last]);

  useEffect(() => {
    if (last?.expiresAfter === undefined) return;
    const timer = setTimeout(() => setShown({ last, result: null }), last.expiresAfter * 1_000);
    return () => clearTimeout(timer);
  }, [last]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Enter submits, too, while the button is not yet disabled.
    if (isRunning.current) return;
    isRunning.current = true;
    const { currentTarget: form, submitter } = event;
    startTransition(() => dispatch({ form, submitter }));
  };

  return {
    last,
    isPending,
    submitted: isPending || last !== null,
    result:
      isPending && !last?.isLasting
        ? null
        : shown?.last === last
          ? (shown?.result ?? null)
          : (last?.result ?? null),
    show: (result: Result | null) => setShown({ last, result }),
    onSubmit,
  };
};
