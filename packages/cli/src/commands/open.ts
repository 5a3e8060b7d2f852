import { createClient } from "../client.ts";
import { type Command, command } from "../command.ts";
import { EXIT } from "../errors.ts";
import { print, styleOf } from "../io.ts";
import { browserCommand, openBrowser } from "../open/browser.ts";

export const open: Command = command({
  args: { print: { type: "boolean", description: "only print the link; open no browser" } },
  notes: [
    "The link is good for 60 seconds and for one browser, which may then use the page until moth ends.",
    "Over SSH: forward the port under its own number (ssh -L 4747:127.0.0.1:4747), and open the link on your side.",
  ],
  async run(args, io) {
    const url = await createClient(io.env).open();
    if (args.print) {
      print(io, url);
      return EXIT.ok;
    }
    const browser = browserCommand(url, io.env);
    const isOpened = browser !== undefined && (await openBrowser(browser, io.env));
    const { dim } = styleOf(io);
    print(io, isOpened ? "moth's page opens in your browser. If it does not, open:" : "Open in your browser:", `  ${url}`);
    print(io, dim("(good for 60 seconds, once)"));
    return EXIT.ok;
  },
});
