import { realpathSync } from "node:fs";
import { type Env, userHome } from "@moth-companion/core/paths";
import { oneLine } from "@moth-companion/core/text";
import { Failure } from "../errors.ts";
import { outputOf } from "./program.ts";
import { isNewer, VERSION } from "./version.ts";

const PACKAGE = "moth-companion";
/** One try: who asks, waits. */
const QUICK = ["--fetch-retries=0", "--fetch-timeout=20000"];

/** What there is to be had, beside what is here. */
export interface Offer {
  /** In words: a version, or commits. */
  newest: string;
  newer: boolean;
}

/**
 * The newest moth that was published, by npm and so by whatever registry the person has set there.
 * It is asked from the home folder: the settings of the project one stands in have no say.
 * @throws Failure with what npm said
 */
export async function publishedOffer(current: string, env: Env): Promise<Offer> {
  const asked = ["npm", "view", `${PACKAGE}@latest`, "version", "--json", ...QUICK] as const;
  const { out, err } = await outputOf(asked, { cwd: userHome(env), env });
  const answer = parse(out);
  if (typeof answer === "string" && VERSION.test(answer)) return { newest: answer, newer: isNewer(answer, current) };
  const { code, summary } = errorIn(answer) ?? { code: "", summary: err || out };
  if (code === "E404")
    throw new Failure(
      "FAILED",
      `the registry that npm is set to has no ${PACKAGE}`,
      "Which one that is: npm config get registry",
    );
  const why = oneLine(summary).slice(0, 300).trim();
  throw new Failure(
    "FAILED",
    `the registry that npm is set to could not be asked${why ? `: ${why}` : ""}`,
    `By hand: npm view ${PACKAGE} version`,
  );
}

/** What the branch a checkout follows has beyond it. @throws Failure when it follows none, or cannot be fetched */
export async function checkoutOffer(root: string, env: Env): Promise<Offer> {
  const git = (...args: string[]): ReturnType<typeof outputOf> => outputOf(["git", ...args], { cwd: root, env });
  const top = await git("rev-parse", "--show-toplevel");
  if (!top.ok || !isSameFolder(top.out.trim(), root))
    throw new Failure(
      "FAILED",
      `${root} is no clone of git's, but a copy (from a ZIP, perhaps), so it cannot be told whether there is a newer one`,
      "Unpack a newer copy in its place and run npm start in it, or clone it: git clone",
    );
  const upstream = await git("rev-parse", "--abbrev-ref", "@{upstream}");
  if (!upstream.ok)
    throw new Failure(
      "FAILED",
      `the checkout ${root} follows no branch from which it could be updated`,
      "Update it by hand: git pull",
    );
  const fetched = await git("fetch", "--quiet");
  if (!fetched.ok)
    throw new Failure("FAILED", `git could not fetch: ${oneLine(fetched.err).slice(0, 300)}`, `By hand, in ${root}: git fetch`);
  const behind = Number((await git("rev-list", "--count", "HEAD..@{upstream}")).out);
  const commits = `${behind} commit${behind === 1 ? "" : "s"}`;
  return { newest: `${oneLine(upstream.out).trim()} is ${commits} ahead`, newer: behind > 0 };
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return one !== "" && realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorIn(answer: unknown): { code: string; summary: string } | undefined {
  const error = typeof answer === "object" && answer !== null && "error" in answer ? answer.error : undefined;
  if (typeof error !== "object" || error === null) return undefined;
  const text = (name: string): string => {
    const value: unknown = name in error ? (error as Record<string, unknown>)[name] : undefined;
    return typeof value === "string" ? value : "";
  };
  return { code: text("code"), summary: text("summary") };
}
