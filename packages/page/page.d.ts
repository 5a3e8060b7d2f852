/** The page: one HTML text without a secret in it. */
export const html: string;
/** Its Content-Security-Policy: the hashes of its one script and its one style, and nothing else. */
export const policy: string;
