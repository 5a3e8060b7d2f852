import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds, a line each. It runs as a debugger does, past the page's policy. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target.join(" ")}: ${node.failureSummary}`));
}
