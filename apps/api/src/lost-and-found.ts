/** A folder of the file system itself, where a mount point begins. Only root can read it. */
export const lostAndFound = 'lost+found';
