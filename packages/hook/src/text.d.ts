/** What the build (`tsup.config.ts`) makes of a file that is asked for so. */
declare module "*?text" {
  /** The program as the text of a function: of what loads Node's modules, and of what keeps the program compiled as it now is. */
  export const text: string;
  /** Of this text and no other. */
  export const id: string;
}
