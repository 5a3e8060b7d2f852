import { type Harness, harnesses } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { createTestIo } from "../test/support/io.ts";
import { type HookReport, reportHooks } from "./hook-report.ts";

const NPX = { npm_command: "exec" };

async function reportOf(health: { problem: string; advice: string }): Promise<HookReport | undefined> {
  const { env } = createTestIo({ env: NPX });
  const sick: Harness = { ...(harnesses[0] as Harness), health: async () => ({ status: "broken", where: [], ...health }) };
  return (await reportHooks(env, { env, hookProgram: "", findPlugin: () => "", node: "" }, [sick]))[0];
}

test("commands in what a harness says of its health can be typed as they stand", async () => {
  expect(
    await reportOf({ problem: "it is not as moth hook wrote it", advice: "Run moth hook wren again, or: moth unhook wren" }),
  ).toMatchObject({
    problem: "it is not as npx moth hook wrote it",
    advice: "Run npx moth hook wren again, or: npx moth unhook wren",
  });
});
