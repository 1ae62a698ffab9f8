import { type ComponentType, useCallback, useRef, useState } from 'react';

interface Waiting<Handle> {
  act: (handle: Handle) => void;
  giveUp: (() => void) | undefined;
}

/**
 * A component whose script is loaded when it is first needed. With React's `lazy`, a failure to
 * load it would unmount the whole form.
 */
export const useLazyComponent = <Props extends { onReady: (handle: Handle) => void }, Handle>(
  load: () => Promise<ComponentType<Props>>,
) => {
  const [Component, setComponent] = useState<ComponentType<Props> | null>(null);
  const [isFailed, setFailed] = useState(false);
  const isLoading = useRef(false);
  const handle = useRef<Handle>(null);
  const waiting = useRef<Waiting<Handle>[]>([]);

  const start = async () => {
    if (isLoading.current) return;
    isLoading.current = true;
    setFailed(false);
    try {
      const loaded = await load();
      setComponent(() => loaded);
    } catch (error) {
      reportError(error);
      isLoading.current = false;
      setFailed(true);
      for (const { giveUp } of waiting.current.splice(0)) giveUp?.();
    }
  };

  /** Calls `act` as soon as the component is mounted, or `giveUp` if it cannot be loaded. */
  const use = (act: (handle: Handle) => void, giveUp?: () => void) => {
    if (handle.current) {
      act(handle.current);
    } else {
      waiting.current.push({ act, giveUp });
      void start();
    }
  };

  const onReady = useCallback((ready: Handle) => {
    handle.current = ready;
    for (const { act } of waiting.current.splice(0)) act(ready);
  }, []);

  return { Component, isFailed, use, onReady };
};
