#!/usr/bin/env node
// Old syntax only: this file must be read by a Node that is too old for the rest, so that it can say so.
import * as nodeModule from "node:module";

var version = process.versions.node;
if (Number(version.split(".")[0]) < 20) {
  process.stderr.write(
    "moth: needs Node 20 or newer, this is Node " +
      version +
      " (" +
      process.execPath +
      ").\n" +
      "      Install a newer Node (https://nodejs.org) and start moth again.\n",
  );
  process.exitCode = 1;
} else if (process.argv.length === 4 && process.argv[2] === "status" && process.argv[3] === "--line") {
  // A status bar asks for this every few seconds: past all that the other commands need.
  try {
    nodeModule.createRequire(import.meta.url)("../dist/line.cjs");
  } catch (error) {
    giveUp(error);
  }
} else {
  try {
    if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  } catch {
    // A cache that cannot be used costs a few milliseconds, nothing else.
  }
  try {
    var quick = nodeModule.createRequire(import.meta.url)("../dist/quick.cjs");
    (quick.takes(process.argv[2]) ? quick.start() : import("../dist/main.js")).catch(giveUp);
  } catch (error) {
    giveUp(error);
  }
}

function giveUp(error) {
  var unbuilt = error && String(error.code).endsWith("MODULE_NOT_FOUND") && /dist[\\/](?:main\.js|line\.cjs)/.test(error.message);
  process.stderr.write(
    unbuilt
      ? "moth: this copy is not built yet.\n      In the checkout: npm run build\n"
      : "moth: could not start.\n" + ((error && error.stack) || error) + "\n",
  );
  process.exitCode = 1;
}
