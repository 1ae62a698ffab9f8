/** A folder that file systems such as ext4 create in their root. Only the root user can read it. */
export const lostAndFound = 'lost+found';
