import { readdirSync, readFileSync } from "node:fs";
import { OUTCOMES, type Outcome, TURN_CLASSES, type TurnClass } from "@moth-companion/core/protocol";
import { describe, expect, it } from "vitest";
import { isUrgent, rank, triage } from "./triage.ts";

interface Reply {
  at: string;
  text: string;
  outcome: Outcome;
  class: TurnClass;
}

const FOLDER = new URL("./triage-replies/", import.meta.url);

/** The labelled replies: each begins with `=== class` or `=== class outcome`; what stands above the first is a note. */
function replies(file: string): Reply[] {
  const parts = readFileSync(new URL(file, FOLDER), "utf8").split(/^=== (.*)\n/m);
  return Array.from({ length: (parts.length - 1) / 2 }, (_, index) => {
    const [name, outcome = "done"] = (parts[2 * index + 1] ?? "").split(" ");
    return {
      at: `${file} ${index + 1}`,
      text: (parts[2 * index + 2] ?? "").trim(),
      outcome: OUTCOMES.find((known) => known === outcome) as Outcome,
      class: TURN_CLASSES.find((known) => known === name) as TurnClass,
    };
  });
}

interface Score {
  table: string;
  precision: Map<TurnClass, number>;
  recall: Map<TurnClass, number>;
  wrong: string[];
}

function score(title: string, all: Reply[]): Score {
  const judged = all.map((reply) => ({ ...reply, said: triage(reply.text, reply.outcome) }));
  const count = (test: (reply: (typeof judged)[number]) => boolean): number => judged.filter(test).length;
  const precision = new Map<TurnClass, number>();
  const recall = new Map<TurnClass, number>();
  const rows = TURN_CLASSES.map((name) => {
    const right = count((reply) => reply.class === name && reply.said.class === name);
    const labelled = count((reply) => reply.class === name);
    precision.set(name, right / count((reply) => reply.said.class === name));
    recall.set(name, right / labelled);
    const figures = [precision.get(name) ?? 0, recall.get(name) ?? 0].map((figure) => figure.toFixed(3).padStart(9));
    return `${name.padEnd(9)}${String(labelled).padStart(8)}${figures.join("")}`;
  });
  const wrong = judged
    .filter((reply) => reply.class !== reply.said.class)
    .map((reply) => `${reply.at}: ${reply.class} judged ${reply.said.class} by "${reply.said.quote}"`);
  const head = `${title}: ${all.length - wrong.length} of ${all.length} right`;
  return { table: [head, "class     replies precision  recall", ...rows].join("\n"), precision, recall, wrong };
}

const tuned = readdirSync(FOLDER).filter((file) => file !== "holdout.txt");

describe("the labelled replies", () => {
  const all = tuned.flatMap(replies);
  const result = score("labelled replies", all);

  it("are at least 150, in six languages", () => {
    expect(all.length).toBeGreaterThanOrEqual(150);
    expect(tuned).toEqual(["de.txt", "en.txt", "es.txt", "fr.txt", "ja.txt", "long.txt", "zh.txt"]);
    expect(all.filter((reply) => !reply.class || !reply.outcome || !reply.text)).toEqual([]);
  });

  it.each(TURN_CLASSES)("are told right for %s, 95 in 100 and more", (name) => {
    if (name === TURN_CLASSES[0]) process.stdout.write(`\n${[result.table, ...result.wrong].join("\n")}\n`);
    expect(result.precision.get(name), result.wrong.join("\n")).toBeGreaterThanOrEqual(0.95);
    expect(result.recall.get(name), result.wrong.join("\n")).toBeGreaterThanOrEqual(0.95);
  });
});

describe("the hold-out, written before the words were chosen", () => {
  it("is told right nearly as often", () => {
    const result = score("hold-out", replies("holdout.txt"));
    process.stdout.write(`\n${[result.table, ...result.wrong].join("\n")}\n`);
  });
});
