const bareUrls = /(?:https?:\/\/|www\.)\S+/gi;

/**
 * An escape of Turndown whose bare URLs stay whole: posts link them as they are, so a backslash
 * before an underscore would be part of the link.
 */
export const withWholeUrls =
  (escapeText: (text: string) => string) =>
  (text: string): string =>
    escapeText(text).replace(bareUrls, (url) => url.replaceAll('\\_', '_'));
