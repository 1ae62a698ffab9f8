/** The Settings tab of /profile. */
export const settings = {
  heading: 'Account Settings',
  email: {
    heading: 'Email',
    change: 'Change email',
    label: 'New email',
    submit: 'Send the link',
  },
  password: {
    heading: 'Password',
    text: 'Changing it logs you out on all other devices.',
    change: 'Change password',
    /** For users who signed up with Google. */
    none: {
      text: 'You sign in with Google. With a password, you can sign in either way.',
      change: 'Set a password',
    },
    submit: 'Save password',
  },
  methods: {
    heading: 'Sign-in methods',
    password: 'Email and password',
    isSet: 'Set',
    notSet: 'Not set',
    google: 'Google',
    connected: 'Connected',
  },
  devices: {
    heading: 'Where you are signed in',
    unknown: 'Unknown device',
    current: 'This device',
    signedIn: (date: string) => `Signed in ${date}`,
    lastUsed: (date: string) => `last used ${date}`,
    logOut: 'Log out',
    end: 'Log out there',
    endOthers: 'Log out all other devices',
    refreshing: 'Refreshing...',
  },
  data: {
    heading: 'Your data',
    text: 'Your profile, your posts as Markdown and your pictures, in one ZIP file.',
    download: 'Download your data',
  },
  deletion: {
    heading: 'Delete account',
    deleted: {
      heading: 'What is deleted',
      text: 'Your sign-in, profile, picture and drafts. We cannot restore them.',
    },
    retained: {
      heading: 'What stays',
      text: 'Published posts, without your name, if you choose to keep them. Messages you sent through our forms and your newsletter subscription are not part of the account.',
    },
    question: 'Delete your account?',
    posts: 'What should happen to your published posts?',
    keepPosts: 'Keep them on the blog, without my name.',
    deletePosts: 'Delete them, too.',
    confirm: 'I understand that this cannot be undone.',
    cancel: 'Keep it',
    submit: 'Delete forever',
    submitting: 'Deleting...',
  },
  /** The form shown before a change that requires a recent sign-in. */
  reauthentication: {
    submit: 'Continue',
    submitting: 'Checking...',
    google: 'Continue with Google',
  },
} as const;
