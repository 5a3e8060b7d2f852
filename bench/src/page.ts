import { gzipSync } from "node:zlib";
import { findChromium } from "../../packages/server/test/page/find-chromium.ts";
import { type Figure, figure } from "./figure.ts";
import type { Effort } from "./groups.ts";
import { type Running, startMoth } from "./processes.ts";
import { createAgent, inSessions, post, REPLY, untilHeard } from "./traffic.ts";

const SESSIONS = 100;
const TURNS = 2500;
/** What has to be seen. */
const ROW = "text=folder-0";
const CARD = "main > ol > li";

/** The page: how much of it there is, and how soon it shows what there is, at first and after 10,000 events. */
export async function benchPage(effort: Effort): Promise<Figure[]> {
  const moth = await startMoth();
  try {
    const answer = await fetch(`http://127.0.0.1:${moth.port}/`, { headers: { accept: "text/html" } });
    const page = Buffer.from(await answer.arrayBuffer());
    return [
      figure("page, as it is sent", "kB", [{ value: page.length / 1000 }], { of: "value", atMost: 200 }),
      figure("page, if it were compressed", "kB", [{ value: gzipSync(page).length / 1000 }]),
      ...(findChromium() === undefined ? [] : await loads(moth, effort)),
    ];
  } finally {
    await moth.stop();
  }
}

async function loads(moth: Running, { runs, at: tell }: Effort): Promise<Figure[]> {
  // Only here: it brings the browser's driver along.
  const { launch } = await import("../../packages/server/test/page/chromium.ts");
  const browser = await launch();
  const agent = createAgent(1);
  const load = async (shows: string): Promise<number> => {
    const { url } = JSON.parse(await post(moth, agent, "/api/open", {})) as { url: string };
    const context = await browser.newContext();
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(url);
    await page.locator(shows).first().waitFor();
    const took = performance.now() - started;
    await context.close();
    return took;
  };
  try {
    await post(moth, agent, "/api/state", { source: "bench", session: "s0", label: "folder-0", state: "working" });
    await load(ROW);
    const at = async (name: string, shows: string): Promise<Figure> => {
      tell(name);
      const all: { value: number }[] = [];
      for (let run = 0; run < runs; run++) all.push({ value: await load(shows) });
      return figure(name, "ms", all, { of: "value", atMost: 1000 });
    };
    const first = await at("page, from the link to a session's row", ROW);
    await inSessions(SESSIONS, TURNS, async (n, own) => {
      const from = { source: "bench", session: `s${n % SESSIONS}`, label: `folder-${n % SESSIONS}` };
      await post(moth, own, "/api/state", { ...from, state: "working" });
      await post(moth, own, "/api/agent", { ...from, text: `${REPLY} (${n})` });
    });
    await untilHeard(moth, agent, TURNS * 4);
    return [first, await at("page, from the link to its cards, with 100 sessions after 10,000 events", CARD)];
  } finally {
    agent.destroy();
    await browser.close();
  }
}
