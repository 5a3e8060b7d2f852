import { join } from "node:path";
import type { OrderKind } from "@moth-companion/core/protocol";
import { expect, it, onTestFinished } from "vitest";
import { card, expectNothingReachedTheModel, heard, state } from "../src/expectations.ts";
import { scenario } from "../src/scenario.ts";
import { textOf } from "../src/world.ts";

/** Words that begin as what a composer may take for more than words. */
function wordsAfter(beginning: string): string {
  return `${beginning}help $(touch ran) \`touch ran\` "now"\n${beginning} touch ran\n`;
}

scenario(
  "follow-up",
  (harness, open) => {
    const { orders = { door: "none" }, endBackground } = harness;

    it("a message sent through moth is the next prompt, word for word, or waits for the turn that runs; a turn can be ended; nothing of it while answers are off", async () => {
      const world = await open();
      const background = orders.inBackground ?? false;
      if (background && endBackground) onTestFinished(() => endBackground(world.home));
      expect((await world.moths("config", "answers", "on")).code).toBe(0);
      const tui = await world.open({ background, args: orders.args?.(join(world.home, "listener")) ?? [] });
      await tui.submit("[[reply: Hello.]]");
      const { source, session } = await card(world, "Hello.");
      const sent: string[] = [];
      const takes = (kind: OrderKind): Promise<unknown> =>
        world.moth.roster(`that it takes a ${kind}`, ([row]) => row?.takes?.includes(kind) === true);
      const idle = async (after: number): Promise<number> => (await state(world, { session, state: "idle", after })).id;
      const send = (text: string): Promise<unknown> => world.moth.order({ source, session, do: "prompt", text, by: "cli" });
      let last = await idle((await state(world, { session, state: "working" })).id);
      await takes("prompt");

      /** Sends a script behind words, which are left out where the harness would take them for a command: then they are refused. */
      const write = async (beginning: string, script: string): Promise<string> => {
        const whole = `${wordsAfter(beginning)}${script}`;
        const isRefused = orders.refused?.includes(beginning) ?? false;
        if (isRefused) expect(await send(whole)).toMatchObject({ error: { code: "NOT_TAKEN" } });
        const text = isRefused ? script : whole;
        expect(await send(text)).toEqual({ ok: true });
        sent.push(text);
        return text;
      };
      await write("/", "[[reply: At once.]]");
      await state(world, { session, state: "working", after: last });
      await card(world, "At once.", { session });
      last = await idle(last);

      const draft = "Half a thought";
      tui.type(draft);
      await tui.waitForText(draft);
      // One that came between the tool's result and the reply would have changed the reply.
      await write("!", `[[hold: slow]]${harness.harmless}[[reply: Slowly.]]`);
      await world.model.held("slow");
      await write("@", "[[reply: And then.]]");
      world.model.release("slow");
      await card(world, "And then.", { session });
      // It may have been idle between the two.
      await world.moth.roster("that it is idle", ([row]) => row?.state === "idle");
      const said = ["Hello.", "At once.", "Slowly.", "And then."];
      expect(await heard(world)).toEqual(said);
      last = world.moth.events.at(-1)?.id ?? -1;
      await tui.waitForText(draft);

      if (orders.abort) {
        await takes("abort");
        const abort = { source, session, do: "abort", by: "cli" } as const;
        expect(await world.moth.order(abort)).toMatchObject({ error: { code: "IDLE" } });
        const long = await write("#", "[[hold: long]][[reply: Never said.]]");
        await world.model.held("long");
        last = (await world.moth.event("what it was sent", (event) => event.kind === "order" && event.text === long)).id;
        expect(await world.moth.order(abort)).toEqual({ ok: true });
        const ended = await state(world, { session, state: "idle", after: last });
        expect(ended.outcome).toBe("interrupted");
        last = ended.id;
        await write("-", "[[reply: Goes on.]]");
        await card(world, "Goes on.", { session });
        last = await idle(last);
        expect(await heard(world)).toEqual([...said, "Goes on."]);
      }

      const prompts = world.model.requests.filter(({ kind }) => kind === "turn").map(({ prompt }) => prompt);
      expect(sent.filter((text) => !prompts.some((prompt) => prompt.includes(text)))).toEqual([]);
      expect((await world.moths("config", "answers", "off")).code).toBe(0);
      const asked = world.model.requests.length;
      expect(await send("[[reply: Unheard.]]")).toMatchObject({ error: { code: "ANSWERS_OFF" } });
      expect(world.model.requests).toHaveLength(asked);
      expect(textOf(`${world.project}/ran`)).toBeUndefined();
      expectNothingReachedTheModel(world, textOf(`${world.home}/.moth/token`)?.trim() ?? "no token");
    });
  },
  ({ orders }) => (orders ? undefined : "it takes no messages through moth"),
);
