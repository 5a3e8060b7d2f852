import type { StateReport } from "@moth-companion/core/protocol";
import type { Harness, StartWatch, WatchHost } from "@moth-companion/harnesses";
import { expect, test } from "vitest";
import { handClock } from "../test/support.ts";
import { startWatches } from "./watches.ts";

const harness = (id: string, startWatch?: StartWatch): Harness => ({ id, startWatch }) as Harness;

function watching(harnesses: Harness[]): { reports: StateReport[]; stop: () => void } {
  const reports: StateReport[] = [];
  const watches = startWatches(harnesses, {
    env: { HOME: "/home/ada" },
    clock: handClock(77),
    sessions: (source) => [{ session: `${source}-1`, state: "working", since: 0, seq: 0, background: false }],
    report: (report) => reports.push(report),
  });
  return { reports, stop: () => watches.stop() };
}

test("a watch sees its harness's sessions and reports in its name", () => {
  let host: WatchHost | undefined;
  const { reports } = watching([
    harness("silent"),
    harness("pi", (given) => {
      host = given;
      return { stop: () => undefined };
    }),
  ]);
  expect([host?.env["HOME"], host?.now(), host?.sessions().map(({ session }) => session)]).toEqual(["/home/ada", 77, ["pi-1"]]);
  host?.report({ session: "pi-1", state: "idle", outcome: "interrupted", seq: 5 });
  expect(reports).toEqual([{ source: "pi", session: "pi-1", state: "idle", outcome: "interrupted", seq: 5 }]);
});

test("what a watch reports is checked, and nothing is taken after the stop", () => {
  let host: WatchHost | undefined;
  const { reports, stop } = watching([
    harness("pi", (given) => {
      host = given;
      return { stop: () => undefined };
    }),
  ]);
  host?.report({ session: "s1", state: "asleep" } as never);
  stop();
  host?.report({ session: "s1", state: "idle" });
  expect(reports).toEqual([]);
});

test("a watch that fails to start or to stop harms no other", () => {
  const stopped: string[] = [];
  const { stop } = watching([
    harness("broken", () => {
      throw new Error("no");
    }),
    harness("stuck", () => ({
      stop() {
        throw new Error("no");
      },
    })),
    harness("good", () => ({ stop: () => void stopped.push("good") })),
  ]);
  stop();
  expect(stopped).toEqual(["good"]);
});
