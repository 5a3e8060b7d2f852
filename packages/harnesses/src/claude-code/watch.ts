import type { StartWatch } from "../types.ts";
export const startWatch: StartWatch = () => ({ stop() {} });
