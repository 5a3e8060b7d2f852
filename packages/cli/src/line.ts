/** What `bin` starts for `moth status --line`. */
import { statusLine } from "./status-line.ts";

// Not by an empty event loop: nothing is left to do, and taking Node apart in good order takes longer than the question.
void statusLine(process.env).then((code) => process.exit(code));
