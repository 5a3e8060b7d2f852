import type { HarnessDriver } from "../driver.ts";
import { claudeCode } from "./claude-code.ts";

/** Every harness of the matrix, in the order of its rows. */
export const drivers: readonly HarnessDriver[] = [claudeCode];
