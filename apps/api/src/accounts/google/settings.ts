export interface GoogleSettings {
  clientId: string;
  clientSecret: string;
  issuer: string;
}

export const googleIssuer = 'https://accounts.google.com';
