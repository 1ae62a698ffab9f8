/** The site's registration with Google or another OpenID provider. */
export interface GoogleSettings {
  clientId: string;
  clientSecret: string;
  issuer: string;
}

export const googleIssuer = 'https://accounts.google.com';
