import { expect, test } from "vitest";
import { createReplies } from "./replies.ts";

test("the newest reply of each session is kept, also when an older one is heard later", () => {
  const replies = createReplies();
  replies.put({ source: "x", session: "a", text: "one", seq: 1 }, 10);
  replies.put({ source: "x", session: "a", text: "three", seq: 3, outcome: "failed" }, 20);
  replies.put({ source: "x", session: "a", text: "two", seq: 2 }, 30);
  replies.put({ source: "x", text: "other", chars: 9000 }, 40);
  expect(replies.get("x", "a")).toEqual({ text: "three", outcome: "failed", time: 20 });
  expect(replies.get("x", "")).toEqual({ text: "other", chars: 9000, outcome: "done", time: 40 });
  replies.clear();
  expect(replies.get("x", "a")).toBeUndefined();
});

test("what is kept has a bound in sessions and in text; the session longest silent gives way, the newest stays", () => {
  const replies = createReplies({ sessions: 2, text: 8 });
  const has = (): string => ["a", "b", "c"].filter((session) => replies.get("x", session)).join("");
  const put = (session: string, text: string): void => replies.put({ source: "x", session, text }, 0);
  put("a", "1234");
  put("b", "1234");
  put("a", "12");
  put("c", "1");
  expect(has()).toBe("ac");
  put("b", "123456");
  expect(has()).toBe("bc");
  put("a", "longer than all");
  expect(has()).toBe("a");
  put("b", "1234");
  expect(has()).toBe("b");
});
