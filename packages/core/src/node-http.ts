import type * as NodeHttp from "node:http";
import { createRequire } from "node:module";

/**
 * `node:http`, by `require`. Importing it as a module reads every one of its exports, which loads the WebSocket and fetch client
 * behind them: 13 MB in Node 24, for programs that use neither.
 */
export const http: typeof NodeHttp = createRequire(import.meta.url)("node:http") as typeof NodeHttp;
