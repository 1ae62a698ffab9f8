/** The result, or the fallback if the file or folder does not exist. */
export async function unlessMissing<T>(reading: Promise<T>, fallback: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return fallback;
    throw error;
  }
}
