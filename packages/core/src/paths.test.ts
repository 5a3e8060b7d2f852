import { userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { authority, configFile, mothHome, serverAddress, tokenFile } from "./paths.ts";

const home = resolve("/home/ada");
const env = { HOME: home, USERPROFILE: home };

test("without overrides everything lies in ~/.moth", () => {
  expect(mothHome(env)).toBe(join(home, ".moth"));
  expect(tokenFile(env)).toBe(join(home, ".moth", "token"));
  expect(configFile(env)).toBe(join(home, ".moth", "config.json"));
});

test.each(["", ".", "some/where"])("a home that is %j is none: it would be another one in every folder", (given) => {
  const odd = { HOME: given, USERPROFILE: given };
  expect(mothHome(odd)).toBe(join(userInfo().homedir, ".moth"));
});

test("MOTH_HOME moves the folder and all in it", () => {
  const moved = { ...env, MOTH_HOME: resolve("/elsewhere") };
  expect(tokenFile(moved)).toBe(resolve("/elsewhere/token"));
  expect(configFile(moved)).toBe(resolve("/elsewhere/config.json"));
});

test.each(["/a/b", "/a/", "/", "/a//b", "/a/./b", "/a/../b", "/a/.", "/a/..", "/a/.b/..c", "a", "./a", "../a", "~/a"])(
  "%s is a folder as Node reads it",
  (folder) => {
    expect(mothHome({ ...env, MOTH_HOME: folder })).toBe(resolve(folder));
    expect(tokenFile({ ...env, MOTH_HOME: folder })).toBe(join(resolve(folder), "token"));
    if (isAbsolute(folder)) expect(mothHome({ HOME: folder, USERPROFILE: folder })).toBe(join(folder, ".moth"));
  },
);

test("one override moves one file and leaves the others", () => {
  const moved = { ...env, MOTH_TOKEN_FILE: resolve("/secret/t") };
  expect(tokenFile(moved)).toBe(resolve("/secret/t"));
  expect(configFile(moved)).toBe(join(home, ".moth", "config.json"));
});

test("an empty override counts as missing", () => {
  const empty = { ...env, MOTH_HOME: "", MOTH_TOKEN_FILE: "", MOTH_CONFIG_FILE: "", MOTH_URL: "" };
  expect(tokenFile(empty)).toBe(join(home, ".moth", "token"));
  expect(serverAddress(empty)).toEqual({ host: "127.0.0.1", port: 4747 });
});

test("without any environment there is still a home", () => {
  expect(mothHome({})).toMatch(/[\\/]\.moth$/);
});

test.each([
  ["http://127.0.0.1:5000", { host: "127.0.0.1", port: 5000 }],
  ["http://localhost:5000/", { host: "localhost", port: 5000 }],
  ["http://[::1]:5000", { host: "::1", port: 5000 }],
  [" http://moth.local ", { host: "moth.local", port: 80 }],
])("MOTH_URL %s is understood", (url, address) => {
  expect(serverAddress({ MOTH_URL: url })).toEqual(address);
});

test.each(["https://127.0.0.1:4747", "127.0.0.1:4747", "http://", "nonsense", "file:///etc/passwd"])(
  "MOTH_URL %s is nothing to talk to",
  (url) => {
    expect(serverAddress({ MOTH_URL: url })).toBeUndefined();
  },
);

test("an IPv6 host gets its brackets back", () => {
  expect(authority({ host: "::1", port: 4747 })).toBe("[::1]:4747");
  expect(authority({ host: "127.0.0.1", port: 4747 })).toBe("127.0.0.1:4747");
});
