/** The header's menu for signed-in users. */
export const accountMenu = { profile: 'Profile', logOut: 'Log out' } as const;
