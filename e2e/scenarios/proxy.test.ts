import { expect, it, onTestFinished } from "vitest";
import { card, expectPlain, heard, onlySession, state } from "../src/expectations.ts";
import { startRecorder } from "../src/network.ts";
import { scenario } from "../src/scenario.ts";

scenario("proxy", (harness, open) => {
  it("behind a proxy moth hears everything, and the proxy sees nothing of it", async () => {
    const world = await open();
    const recorder = await startRecorder();
    onTestFinished(() => recorder.close());
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const env = {
      ...Object.fromEntries(names.map((name) => [name, recorder.url])),
      NODE_USE_ENV_PROXY: "1",
      NO_PROXY: "",
      no_proxy: "",
    };

    expectPlain(harness, await world.oneShot("[[reply: Between you and me.]]", { env }), "Between you and me.");
    const session = onlySession(world);
    await card(world, "Between you and me.", { session });
    await state(world, { session, state: "gone" });
    expect(await heard(world)).toEqual(["Between you and me."]);

    // The harness's own requests went through it: the proxy was in force.
    expect(recorder.targets.some((target) => target.includes(new URL(world.model.url).host))).toBe(true);
    expect(recorder.targets.filter((target) => target.includes(new URL(world.mothUrl).host))).toEqual([]);
    expect(recorder.bytes()).not.toContain("/api/");
  });
});
