/** What `bin` starts for all that is not quick. */
import { start } from "./program.ts";

await start();
