import type { Fault } from "../fault.ts";
import { killed } from "./killed.ts";
import { requests } from "./requests.ts";

/** In the order they are tried. */
export const faults: readonly Fault[] = [requests, killed];
