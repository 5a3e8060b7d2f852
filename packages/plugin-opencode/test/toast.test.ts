/** moth's line in a toast, with a real moth behind it. */
import { expect, test } from "vitest";
import { createToast, type Toast } from "../src/toast.ts";
import { eventually, type Stage, stage } from "./stage.ts";

async function toasting(
  isDrawn = false,
): Promise<Stage & { toast: Toast; toasts: string[]; goes: (text: string) => Promise<void> }> {
  const made = await stage();
  const toasts: string[] = [];
  const show = (text: string): Promise<void> => Promise.resolve(void toasts.push(text));
  const toast = createToast({ source: "opencode", env: made.env, isDrawn: () => isDrawn, show });
  return {
    ...made,
    toast,
    toasts,
    // Busy, the reply, busy once more, and idle.
    goes: async (text) => {
      toast.busy();
      const now = Date.now();
      await made.ends(text);
      toast.turned("s-1", now);
      toast.busy();
      toast.idle();
    },
  };
}

test("it is off until it is turned on, and shows the line of its own session alone", async () => {
  const { goes, turn, said, ends, toasts, thinks } = await toasting();
  await goes("in the dark");
  await said();
  turn("on");
  const go = thinks();
  await goes("in the light");
  await ends("of another session", "s-2");
  await ends("of another harness", "s-1", "kilo");
  go();
  await eventually(() => expect(toasts).toEqual(["opencode: in the light"]));
});

test("where the line stands in the window there is no toast", async () => {
  const { goes, turn, said, toasts } = await toasting(true);
  turn("on");
  await goes("drawn already");
  await said();
  await said();
  expect(toasts).toEqual([]);
});

test.each<[string, (made: Stage & { toast: Toast }) => void]>([
  ["the person goes on", ({ toast }) => toast.busy()],
  ["it is turned off", ({ turn }) => turn("off")],
  ["the harness ends", ({ toast }) => toast.close()],
])("when %s while moth thinks, no toast comes", async (_, happens) => {
  const made = await toasting();
  made.turn("on");
  const go = made.thinks();
  await made.goes("too late");
  happens(made);
  go();
  await made.said();
  await made.said();
  expect(made.toasts).toEqual([]);
});

test("a harness that cannot show it is not troubled", async () => {
  const { env, turn, ends, said } = await stage();
  turn("on");
  let tried = 0;
  const show = (): Promise<never> => (tried++, Promise.reject(new Error("no window")));
  const toast = createToast({ source: "opencode", env, isDrawn: () => false, show });
  const now = Date.now();
  await ends("shown to nobody");
  toast.turned("s-1", now);
  await said();
  await eventually(() => expect(tried).toBe(1));
});
