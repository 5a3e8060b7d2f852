import { expect, test } from "vitest";
import { busPaths } from "./bus.ts";

test.each<[string, Record<string, string>, string[]]>([
  ["a path", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus" }, ["/run/user/1000/bus"]],
  ["a path with more behind it", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/dbus-x,guid=12ab" }, ["/tmp/dbus-x"]],
  ["an escaped path", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/tmp/a%20b" }, ["/tmp/a b"]],
  ["the abstract namespace", { DBUS_SESSION_BUS_ADDRESS: "unix:abstract=/tmp/x" }, ["\0/tmp/x"]],
  ["several", { DBUS_SESSION_BUS_ADDRESS: "tcp:host=localhost,port=1;unix:path=/a;unix:path=/b" }, ["/a", "/b"]],
  ["the runtime folder", { DBUS_SESSION_BUS_ADDRESS: "unix:runtime=yes", XDG_RUNTIME_DIR: "/run/u" }, ["/run/u/bus"]],
  ["nobody's saying", { XDG_RUNTIME_DIR: "/run/u" }, ["/run/u/bus"]],
  ["nothing at all", {}, []],
])("the bus is looked for by %s", (_, env, paths) => {
  expect(busPaths(env)).toEqual(paths);
});
