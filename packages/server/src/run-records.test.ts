import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRunRecords, type RunRecord } from "@moth-companion/core/run-records";
import { expect, test } from "vitest";
import { tempHome } from "../test/support.ts";
import { writeRunRecord } from "./run-records.ts";

const record = (port: number, pid: number = process.pid): RunRecord => ({
  pid,
  host: "127.0.0.1",
  port,
  version: "1.0.0",
  started: 5,
});
const deadPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid;

test("servers on several ports are found, by port", () => {
  const env = { MOTH_HOME: tempHome() };
  writeRunRecord(record(5001), env);
  writeRunRecord(record(4747), env);
  expect(readRunRecords(env)).toEqual([record(4747), record(5001)]);
});

test("a server that ends takes its record with it and leaves no other file", () => {
  const env = { MOTH_HOME: tempHome() };
  writeRunRecord(record(4747), env)();
  expect(readdirSync(join(env.MOTH_HOME, "run"))).toEqual([]);
});

test("a record that another server has taken over stays", () => {
  const env = { MOTH_HOME: tempHome() };
  const remove = writeRunRecord(record(4747), env);
  writeRunRecord(record(4747, process.ppid), env);
  remove();
  expect(readRunRecords(env)).toEqual([record(4747, process.ppid)]);
});

test("records of ended processes, garbage and other files are passed over", () => {
  const env = { MOTH_HOME: tempHome() };
  const run = join(env.MOTH_HOME, "run");
  mkdirSync(run);
  writeRunRecord(record(4747, deadPid()), env);
  writeFileSync(join(run, "1.json"), "{ not json");
  writeFileSync(join(run, "2.json"), "null");
  writeFileSync(join(run, "3.json"), JSON.stringify({ ...record(3), pid: -1 }));
  writeFileSync(join(run, "4.json"), JSON.stringify({ ...record(4), version: 5 }));
  writeFileSync(join(run, "heard.json"), JSON.stringify(record(5)));
  mkdirSync(join(run, "6.json"));
  expect(readRunRecords(env)).toEqual([]);
});

test("without a folder there are no servers", () => {
  expect(readRunRecords({ MOTH_HOME: join(tempHome(), "none") })).toEqual([]);
});

test("a folder that cannot be made is told as such", () => {
  const home = tempHome();
  writeFileSync(join(home, "run"), "");
  expect(() => writeRunRecord(record(4747), { MOTH_HOME: home })).toThrow(/run record .*4747\.json cannot be written/);
});

test("what a server that was killed had half made for the port goes, and nothing of another's", () => {
  const env = { MOTH_HOME: tempHome() };
  const folder = join(env.MOTH_HOME, "run");
  mkdirSync(folder);
  for (const name of ["4747.json.7.tmp", "4748.json.7.tmp", "4747.json.mine"]) writeFileSync(join(folder, name), "");
  writeRunRecord(record(4747), env);
  expect(readdirSync(folder).toSorted()).toEqual(["4747.json", "4747.json.mine", "4748.json.7.tmp"]);
});
