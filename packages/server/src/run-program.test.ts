import { expect, test } from "vitest";
import { runProgram } from "./run-program.ts";

const node = process.execPath;

test("a program that reads what it is given finds nothing, and ends", async () => {
  const reads = `process.stdin.on("data", () => {}).on("end", () => console.log("end"))`;
  expect(await runProgram([node, "-e", reads], {}, 5000)).toBe("end\n");
});

test("one that closes its input at once does no harm", async () => {
  expect(await runProgram([node, "-e", "require('fs').closeSync(0); console.log('done')"], {}, 5000)).toBe("done\n");
});

test.each([
  [
    "ends with an error",
    [node, "-e", "console.error('first'); console.error('no luck'); process.exit(3)"],
    /ended with 3: no luck$/,
    5000,
  ],
  ["is not there", ["/nowhere/at/all"], /^\/nowhere\/at\/all cannot be started \(ENOENT\)$/, 5000],
  ["takes too long", [node, "-e", "setInterval(() => {}, 1000)"], /took longer than 0\.2 seconds$/, 200],
])("one that %s is told in a sentence", async (_what, program, sentence, limit) => {
  await expect(runProgram(program, {}, limit)).rejects.toThrow(sentence);
});
