/** What the site is registered as with Google, or with another OpenID provider. */
export interface GoogleSettings {
  clientId: string;
  clientSecret: string;
  /** Who signs the id tokens. */
  issuer: string;
}

export const googleIssuer = 'https://accounts.google.com';
