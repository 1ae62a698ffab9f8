/** What was read, or something else where there is no such file or folder. */
export async function unlessMissing<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return otherwise;
    throw error;
  }
}
