import type { AnswerBox } from "./answer-box.ts";
import type { Answering } from "./answering.ts";
import type { Feed } from "./feed.ts";
import type { Heard } from "./heard.ts";
import type { Moth } from "./moth.ts";
import type { OrderBox } from "./order-box.ts";
import type { Ordering } from "./ordering.ts";
import type { PageKeys } from "./page-keys.ts";

/** What the routes answer from. */
export interface AppParts {
  moth: Moth;
  answering: Answering;
  ordering: Ordering;
  answerBox: AnswerBox;
  orderBox: OrderBox;
  feed: Feed;
  heard: Heard;
  hosts: ReadonlySet<string>;
  hasToken: (given: string | undefined) => boolean;
  keys: PageKeys;
  /** The page's HTML and its policy, loaded when a browser first asks. It holds no secret: what it shows, it must ask for. */
  page: () => Promise<{ html: string; policy: string }>;
  version: string;
  pid: number;
  /** How the person calls moth's command; `moth` unless given. */
  self?: string | undefined;
  /** Whether the person is away. They are not, unless given. */
  isAway?: () => boolean;
}
