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
} else {
  try {
    if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  } catch {
    // A cache that cannot be used costs a few milliseconds, nothing else.
  }
  import("../dist/main.js").catch(function (error) {
    var unbuilt = error && error.code === "ERR_MODULE_NOT_FOUND" && /dist[\\/]main\.js/.test(error.message);
    process.stderr.write(
      unbuilt
        ? "moth: this copy is not built yet.\n      In the checkout: npm run build\n"
        : "moth: could not start.\n" + ((error && error.stack) || error) + "\n",
    );
    process.exitCode = 1;
  });
}
