import { expect, test } from "vitest";
import { createTestIo } from "../test/support/io.ts";
import { run } from "./run.ts";

async function moth(argv: string[], columns?: number): Promise<{ code: number; out: string; err: string }> {
  const io = createTestIo(columns === undefined ? {} : { columns });
  const code = await run(argv, io);
  return { code, out: io.out(), err: io.err() };
}

test("--help names every command and the exit codes", async () => {
  const { code, out, err } = await moth(["--help"], 80);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatchInlineSnapshot(`
    "moth tells you what your coding agents are up to: who is done, who failed, who
    waits for you.

      moth <command> [options]
      moth  what moth is doing, and the next step

      setup       the first run: hook moth into what is here, and start it
      up          start moth (here, or in the background with -d)
      stop        stop moth
      status      is it running, where, since when
      open        moth's page in your browser
      tail        follow what agents say and moth's lines; talk to moth
      ps          every session: working, waiting or idle
      next        which session wants you most
      answer      answer what a session asks you, from here
      say         send a session your next message, from here
      abort       end the turn that a session runs
      start       start a harness in this terminal, with a prompt
      resume      take a session up again in this terminal
      fork        go on with a copy of a session, in this terminal
      wait        wait for a session, in a script
      last        the last reply of a session
      notify      tell you when a session waits, fails or finishes
      mute        be silent about a session, or about all, for a time
      unmute      tell again
      hooks       the harnesses here, and how moth's hooks are doing
      hook        hook moth into a harness
      unhook      take moth out of a harness again
      config      show or change a setting
      autostart   have moth started at each login, or no longer
      forget      wipe what moth remembers
      doctor      look for what goes wrong in practice
      update      whether there is a newer moth, and have it
      completion  print a completion script for your shell

      --help, -h     also of one command: moth up --help
      --version, -v  this version

    Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 moth is not running.
    "
  `);
});

test("--help fits 40 columns", async () => {
  const { out } = await moth(["--help"], 40);
  expect(out.split("\n").filter((line) => line.length > 40)).toEqual([]);
  expect(out).toMatchInlineSnapshot(`
    "moth tells you what your coding agents
    are up to: who is done, who failed, who
    waits for you.

      moth <command> [options]
      moth  what moth is doing, and the next
            step

      setup       the first run: hook moth
                  into what is here, and
                  start it
      up          start moth (here, or in
                  the background with -d)
      stop        stop moth
      status      is it running, where,
                  since when
      open        moth's page in your
                  browser
      tail        follow what agents say and
                  moth's lines; talk to moth
      ps          every session: working,
                  waiting or idle
      next        which session wants you
                  most
      answer      answer what a session asks
                  you, from here
      say         send a session your next
                  message, from here
      abort       end the turn that a
                  session runs
      start       start a harness in this
                  terminal, with a prompt
      resume      take a session up again in
                  this terminal
      fork        go on with a copy of a
                  session, in this terminal
      wait        wait for a session, in a
                  script
      last        the last reply of a
                  session
      notify      tell you when a session
                  waits, fails or finishes
      mute        be silent about a session,
                  or about all, for a time
      unmute      tell again
      hooks       the harnesses here, and
                  how moth's hooks are doing
      hook        hook moth into a harness
      unhook      take moth out of a harness
                  again
      config      show or change a setting
      autostart   have moth started at each
                  login, or no longer
      forget      wipe what moth remembers
      doctor      look for what goes wrong
                  in practice
      update      whether there is a newer
                  moth, and have it
      completion  print a completion script
                  for your shell

      --help, -h
          also of one command: moth up
          --help
      --version, -v
          this version

    Exit codes: 0 ok, 1 failure, 2 wrong
    usage, 3 moth is not running.
    "
  `);
});

test("a command's help shows its flags", async () => {
  const { code, out } = await moth(["tail", "--help"], 80);
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "moth tail: follow what agents say and moth's lines; talk to moth

      moth tail [options]

      --watch, -w      only show; no prompt to talk to moth
      --history N      events to show from before (3)
      --session LABEL  only this session's turns; moth's lines always show
      --json           print events as JSON, one a line
      --help, -h       this help

    Typed lines go to moth alone, never to an agent. ctrl-c ends.
    Tab shows what an agent asks, and answers it: then type, and Enter sends.
    When moth is asleep, tail waits for it.

    Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 moth is not running.
    "
  `);
});

test.each([["help"], ["-h"], ["help", "tail"], ["up", "-h"], ["hook", "x", "--help"]])("%s %s is help too", async (...argv) => {
  const { code, out } = await moth(argv);
  expect(code).toBe(0);
  expect(out).toContain("Exit codes");
});

test.each(["--version", "-v", "-V"])("%s is the version alone", async (flag) => {
  expect(await moth([flag])).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, err: "" });
});

test.each([
  [["hoks"], 'moth: there is no command "hoks"\n      Did you mean moth hooks?\n'],
  [["xyz"], 'moth: there is no command "xyz"\n      See moth --help\n'],
  [["home"], 'moth: there is no command "home"\n      See moth --help\n'],
  [["constructor"], 'moth: there is no command "constructor"\n      See moth --help\n'],
  [["ps", "--jsn"], "moth: unknown flag --jsn\n      Did you mean --json?\n"],
  [["ps", "--no-json"], "moth: unknown flag --no-json\n      Did you mean --json?\n"],
  [["ps", "-x"], "moth: unknown flag -x\n      See moth ps --help\n"],
  [["--jsn"], "moth: unknown flag --jsn\n      Did you mean --json?\n"],
  [["ps", "--json=yes"], "moth: --json takes no value\n      Write just --json\n"],
  [["tail", "--history"], "moth: --history needs a value\n      Write --history N\n"],
  [["tail", "--history", "--watch"], "moth: --history needs a value\n      Write --history N\n"],
  [
    ["tail", "--history", "many"],
    'moth: --history is "many", which is not a number of events\n      For example: moth tail --history 10\n',
  ],
  [["status", "--line", "--json"], "moth: --line is for a status bar, --json is for a program\n      Use one of them\n"],
  [["ps", "extra"], 'moth: do not know what to do with "extra"\n      See moth ps --help\n'],
  [
    ["say", "app", "and", "now", "the docs"],
    `moth: the text is several words\n      Put it in quotes: moth say app 'and now the docs'\n`,
  ],
  [["say", "--", "--help", "-n", "is", "a flag"], /Put it in quotes: moth say -- '--help' '-n is a flag'\n/],
  [["answer", "--", "--help", "allow", "--jsn"], "moth: unknown flag --jsn\n      Did you mean --json?\n"],
  [["ps", "--json", "--names"], /--watch is for a screen, --json and --names are for a program/],
  [
    ["up", "--port", "99999"],
    'moth: --port is "99999", which is not a port from 1 to 65535\n      For example: moth up --port 4747\n',
  ],
  [["up", "--react-every", "soon"], /--react-every is "soon", which is not a number of seconds/],
  [["up", "--react-every=-1"], /--react-every is "-1"/],
  [["up", "--react-every", "-1"], /--react-every is "-1"/],
  [["up", "--port", "-1"], /--port is "-1", which is not a port/],
  [["tail", "--history", "-3"], /--history is "-3", which is not a number of events/],
  [["config", "react_every", "-5"], /react_every cannot be "-5": it is a number of seconds from 0 to 86400/],
  [["config", "-.5"], /there is no setting "-\.5"/],
  [["config", "--json", "port", "-5"], /port cannot be "-5": it is a port from 1 to 65535/],
  [["ps", "-5"], /do not know what to do with "-5"/],
  [["forget", "--token"], /--token goes with --all/],
  [["completion"], /which shell\? One of: bash, zsh, fish, powershell/],
  [["config", "react_evry"], /there is no setting "react_evry"\n {6}Did you mean react_every\?/],
  [["config", "react_every", "often"], /react_every cannot be "often": it is a number of seconds/],
])("the mistake in `moth %j` is named, with what to do, and ends in 2", async (argv, message) => {
  const { code, out, err } = await moth(argv);
  expect([code, out]).toEqual([2, ""]);
  if (typeof message === "string") expect(err).toBe(message);
  else expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at /);
});

test.each([
  ["answer", "--", "--help", "allow", "--wait", "w1"],
  ["answer", "--wait", "w1", "--", "--help", "allow"],
  ["last", "--", "-n", "--json"],
  ["say", "web", "--", "--json"],
])("a session that begins with a dash stands behind --, and flags may follow it: moth %s %s %s", async (...argv) => {
  // It goes as far as to ask moth.
  expect(await moth(argv)).toMatchObject({ code: 3, err: expect.stringContaining("is not running") as string });
});

test("moth config cuts no value in a narrow window", async () => {
  const { out } = await moth(["config"], 40);
  expect(out.split("\n").filter((line) => line.length > 40)).toEqual([]);
  expect(out).toMatch(/^host +127\.0\.0\.1$/m);
});

test("a bug shows its stack and the versions", async () => {
  const io = createTestIo();
  const broken = {
    ...io,
    get env(): never {
      throw new TypeError("oops");
    },
  };
  expect(await run(["status"], broken)).toBe(1);
  expect(io.err()).toMatch(/a bug in moth itself[^]*TypeError: oops\n\s+at [^]*moth \d+\.\d+\.\d+, Node v\d+/);
});
