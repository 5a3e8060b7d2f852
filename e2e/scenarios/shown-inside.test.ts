import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tokenFile } from "@moth-companion/core/paths";
import { sendTurn } from "@moth-companion/core/report";
import { expect, it } from "vitest";
import { card, complaints, expectNothingReachedTheModel, expectPlain } from "../src/expectations.ts";
import { keepPicture } from "../src/pictures.ts";
import { scenario } from "../src/scenario.ts";
import { squash } from "../src/terminal.ts";
import type { World } from "../src/world.ts";

scenario(
  "shown-inside",
  (harness, open) => {
    it("the person turns it on and sees moth's line on this session's turn, and no other; the model sees none", async () => {
      const { shows = () => false, passing, talk } = harness.inside ?? {};
      const world = await open();
      const folder = join(world.home, "display");
      const args = harness.inside?.args?.(folder) ?? [];
      for (const check of harness.inside?.checks?.(folder) ?? []) {
        const { code, stdout, stderr } = await world.command(...check);
        expect(code, `${check.join(" ")}:\n${stdout}${stderr}`).toBe(0);
      }
      const tui = await world.open({ args });
      const say = async (text: string): Promise<string> => {
        await tui.submit(`[[reply: ${text}]]`);
        return await lineOn(world, text);
      };
      // It is off until it is turned on: while the next turn runs, since the first may still be told of inside when moth has spoken of it.
      const unseen = [await say("The old flag is gone.")];

      await tui.submit("[[hold: on]][[reply: The parser takes both flags now.]]");
      await world.model.held("on");
      await show(world, "on");
      world.model.release("on");
      const own = await lineOn(world, "The parser takes both flags now.");
      await tui.waitForScreen(`moth's line: ${own}`, (screen) => shows(screen, own));
      keepPicture(`${harness.id}-inside`, lastTurn(tui.screen()));

      // Another session of this harness, without a screen; and a session of another harness.
      expectPlain(harness, await world.oneShot("[[reply: The tests are named anew.]]", { args }), "The tests are named anew.");
      unseen.push(await lineOn(world, "The tests are named anew."));
      await sendTurn({ source: "another", session: "s-9", text: "The other parser is faster." }, { env: world.env });
      unseen.push(await lineOn(world, "The other parser is faster."));
      const said: string[] = [];
      if (talk) {
        said.push("are you awake, little one?");
        await talk(tui, said.join());
        const answer = await answerTo(world, said.join());
        await tui.waitForScreen(`moth's answer: ${answer}`, (screen) => shows(screen, answer));
        keepPicture(`${harness.id}-talk`, lastTurn(tui.screen()));
        said.push(answer);
      }

      await show(world, "off");
      unseen.push(await say("The changelog tells of it."));
      if (!passing) await tui.waitForScreen("no line of moth's", (screen) => ![own, ...said].some((line) => shows(screen, line)));
      const drawn = squash(withoutEscapes(tui.output()));
      // Two lines may be the same but for a word before: "oh. one second." holds "one second."
      const isSeen = (line: string): boolean => [own, ...said].some((one) => squash(one).includes(squash(line)));
      for (const line of unseen.filter((line) => !isSeen(line))) expect(drawn).not.toContain(squash(line));
      expect(complaints(tui)).toEqual([]);
      expectNothingReachedTheModel(world, readFileSync(tokenFile(world.env), "utf8").trim());
      for (const { body } of world.model.requests) for (const text of said) expect(body).not.toContain(text);
    });
  },
  (harness) => (harness.inside ? undefined : "moth draws nothing into it"),
);

async function show(world: World, how: "on" | "off"): Promise<void> {
  const { code, stderr } = await world.moths("config", "show_in_harness", how);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

/** The screen from the last prompt on. */
function lastTurn(screen: string): string {
  const lines = screen.split("\n");
  return lines
    .slice(
      Math.max(
        0,
        lines.findLastIndex((line) => line.includes("[[reply:")),
      ),
    )
    .join("\n");
}

/** What moth says about a reply. */
async function lineOn(world: World, reply: string): Promise<string> {
  const { id } = await card(world, reply, { label: expect.any(String) as string });
  const say = await world.moth.event(`moth's line on ${reply}`, (event) => event.kind === "say" && event.card === id);
  return say.kind === "say" ? say.text : "";
}

/** What moth answers to the person. */
async function answerTo(world: World, text: string): Promise<string> {
  const { id } = await world.moth.event("the person", (event) => event.kind === "chat" && event.text === text);
  const say = await world.moth.event(
    "moth's answer",
    (event) => event.kind === "say" && event.id > id && event.card === undefined,
  );
  return say.kind === "say" ? say.text : "";
}

/** What a program wrote, without the sequences that place and colour it. */
function withoutEscapes(output: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what it is about
  return output.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)/g, "");
}
