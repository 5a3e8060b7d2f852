/** How the person calls moth's command on their machine; the server writes it into the page. */
export const MOTH: string = document.querySelector<HTMLMetaElement>('meta[name="moth-command"]')?.content ?? "moth";
