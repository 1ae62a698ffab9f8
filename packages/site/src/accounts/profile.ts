/** The Profile tab of /profile. Texts quoted in the spec are verbatim. */
export const profile = {
  tabs: { label: 'Profile or settings', profile: 'Profile', settings: 'Settings' },
  /** The heading for a user without a name. */
  nameless: 'Your profile',
  heading: 'Edit Profile',
  username: 'Username',
  usernameHint: 'Letters and digits, with single dots, hyphens or underscores between them.',
  fullNameHint: 'Shown next to the posts you write.',
  submit: 'Save Changes',
  avatar: {
    change: 'Change Avatar',
    picture: 'Picture',
    hint: 'JPEG, PNG, WebP, AVIF or GIF, up to 5 MB. It will be cropped to a square.',
    submit: 'Upload',
    submitting: 'Uploading...',
    /** @param share from 0 to 1 */
    sent: (share: number) => `${Math.round(share * 100)}% sent`,
    processing: 'Almost done: cropping your picture.',
    remove: 'Remove picture',
    removing: 'Removing...',
  },
} as const;
