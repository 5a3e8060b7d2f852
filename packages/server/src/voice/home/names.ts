/** What a file in moth's home may be called. The name comes from a model, so it is told what is good, never what is bad. */

const MAX_NAME = 40;
const NAME = /^[a-z0-9][a-z0-9_-]*\.(?:md|txt)$/;
/** Windows takes these for devices, whatever ending they have. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)\./;

/**
 * The file that is meant: letters, digits, `-` and `_`, ending in `.md` or `.txt`; in small letters, so that one name is one file on every
 * system. A name without an ending gets `.md`.
 * @returns undefined: it is no such name. There are no folders, so no path is one.
 */
export function fileName(given: string): string | undefined {
  const small = given.trim().toLowerCase();
  const name = /^[a-z0-9_-]+$/.test(small) ? `${small}.md` : small;
  return name.length <= MAX_NAME && NAME.test(name) && !DEVICE.test(name) ? name : undefined;
}
