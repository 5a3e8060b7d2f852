/** The page as it is sent: its HTML names moth's command the way the person calls it. The policy's hashes are of script and style alone. */
export async function loadPage(self: string): Promise<{ html: string; policy: string }> {
  const { html, policy } = await import("@moth-companion/page");
  return { html: html.replaceAll("{{moth}}", escapeHtml(self)), policy };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
