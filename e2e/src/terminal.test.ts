import { describe, expect, it, onTestFinished } from "vitest";
import { openTerminal, type Terminal } from "./terminal.ts";

describe("a terminal", () => {
  it("shows what a program draws, and answers its questions", async () => {
    // Asks where the cursor is, and prints the answer.
    const terminal = open(`
      process.stdin.setRawMode(true);
      process.stdin.on("data", (answer) => process.stdout.write("\\r\\nat " + JSON.stringify(String(answer))));
      process.stdout.write("\\x1b[31mred\\x1b[0m\\x1b[3;5Hmoved\\x1b[6n");`);
    await terminal.waitForText('at "\\u001b[3;10R"');
    expect(terminal.screen()).toContain("red\n\n    moved");
    terminal.press("escape");
    await terminal.waitForText('at "\\u001b"');
  });

  it("shows its screen when what is waited for does not come", async () => {
    const terminal = open(`console.log("something else"); setInterval(() => {}, 1000)`);
    await terminal.waitForText("something else");
    await expect(terminal.waitForText("the right thing", 50)).rejects.toThrow(/in vain.*the right thing[^]*something else/);
  });

  it("tells when the program has ended", async () => {
    const terminal = open(`console.log("bye")`);
    await terminal.ended();
    expect(terminal.screen()).toBe("bye");
  });
});

function open(program: string): Terminal {
  const env = {
    PATH: process.env["PATH"] ?? "",
    TERM: "xterm-256color",
    ...(process.env["SystemRoot"] && { SystemRoot: process.env["SystemRoot"] }),
  };
  const terminal = openTerminal(process.execPath, ["-e", program], { cwd: import.meta.dirname, env });
  onTestFinished(() => terminal.close());
  return terminal;
}
