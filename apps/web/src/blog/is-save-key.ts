type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Ctrl+S or Command+S. In layouts without Latin letters, the key in the position of S. */
export const isSaveKey = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Key): boolean => {
  const isS = /^[a-z]$/i.test(key) ? key.toLowerCase() === 's' : code === 'KeyS';
  return isS && (ctrlKey || metaKey) && !altKey && !shiftKey;
};
