import type { Fault } from "../fault.ts";
import { clock } from "./clock.ts";
import { config } from "./config.ts";
import { deaf } from "./deaf.ts";
import { fullDisk, readOnly } from "./disk.ts";
import { harnesses } from "./harnesses.ts";
import { killed } from "./killed.ts";
import { race } from "./race.ts";
import { requests } from "./requests.ts";
import { restarts } from "./restarts.ts";
import { sessions } from "./sessions.ts";
import { token } from "./token.ts";

/** In the order they are tried. */
export const faults: readonly Fault[] = [
  requests,
  killed,
  fullDisk,
  readOnly,
  clock,
  race,
  token,
  config,
  sessions,
  deaf,
  restarts,
  harnesses,
];
