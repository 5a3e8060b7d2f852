/** One thing looked at. The shape of `moth doctor --json`, one per check. */
export interface Check {
  check: string;
  status: "ok" | "warn" | "fail";
  /** What was seen. */
  message: string;
  /** What to do about it. */
  advice?: string;
}

export function ok(check: string, message: string): Check {
  return { check, status: "ok", message };
}

export function bad(status: "warn" | "fail", check: string, message: string, advice: string): Check {
  return { check, status, message, advice };
}
