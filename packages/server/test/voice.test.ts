import type { MothEvent } from "@moth-companion/core/protocol";
import { expect, test, vi } from "vitest";
import { get, post, started, tempHome } from "./support.ts";
import { fakeModel, refusing, streaming } from "./voice-model.ts";

const turn = { source: "pi", session: "s1", label: "api", text: "I ran it: 3 tests failed in auth.test.ts." };

async function said(server: Parameters<typeof get>[0]): Promise<string> {
  let say: MothEvent | undefined;
  await vi.waitFor(async () => {
    const { events } = await get<{ events: MothEvent[] }>(server, "/api/log");
    say = events.find(({ kind }) => kind === "say");
    expect(say).toBeDefined();
  });
  return say?.kind === "say" ? say.text : "";
}

test("a model's line stands under the card, and its key is the variable's", async () => {
  const { url, asked } = await fakeModel(streaming(["auth.test.ts ", "lost its light."]));
  const server = await started({
    voice: undefined,
    model: { url, model: "small", keyEnv: "MY_KEY", home: false },
    env: { MOTH_HOME: tempHome(), MY_KEY: "k1" },
  });
  await post(server, "/api/agent", turn);
  expect(await said(server)).toBe("auth.test.ts lost its light.");
  expect(asked[0]?.key).toBe("Bearer k1");
  const open = await fetch(`${server.url}/api/says`);
  expect(await open.json()).toMatchObject({ says: [{ text: "something lost its light." }] });
});

test("without the model the built-in voice speaks", async () => {
  const warnings: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => warnings.push(String(text)) > 0);
  const { url } = await fakeModel(refusing(404, `{"error":"model 'small' not found"}`));
  const server = await started({ voice: undefined, model: { url, model: "small", keyEnv: "", home: true } });
  await post(server, "/api/agent", turn);
  expect(await said(server)).not.toBe("");
  expect(warnings).toEqual([expect.stringContaining("it answered 404: model 'small' not found")]);
});
