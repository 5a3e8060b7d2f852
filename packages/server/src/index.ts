export { type BatchSettings, DEFAULT_BATCH } from "./batch.ts";
export { type Clock, systemClock } from "./clock.ts";
export { ServerError, type ServerErrorCode } from "./errors.ts";
export { lastHeard } from "./heard.ts";
export { readRunRecords, type RunRecord } from "./run-records.ts";
export { type RunningServer, type ServerOptions, startServer } from "./server.ts";
export { ensureToken } from "./token-file.ts";
export { createBuiltinVoice } from "./voice/builtin.ts";
export type { Remark, RosterEntry, Turn, Voice } from "./voice/voice.ts";
