import { expect, test } from "vitest";
import { agentsWords } from "./agents-words.ts";

const TEXT =
  "I moved Hartmann's billing to `src/pay/ledger.ts`; 3 tests of chargeBack failed on the Makefile, because the clock is slow.";

test.each([
  ["ledger went dark in src/pay/ledger.ts.", ["ledger", "src/pay/ledger.ts"]],
  ["hartmann's billing moved house, 3 bulbs popped.", ["hartmann", "billing", "3"]],
  ["chargeBack and the makefile, oh dear.", ["chargeBack", "makefile"]],
  ["three tests failed, because the clock is slow.", ["clock"]],
  ["the lamp is on, nobody is home.", []],
  ["version 9.9 is not theirs.", []],
])("of %j the agent's are %j", (line, names) => {
  expect(agentsWords(line, TEXT)).toEqual(names);
});
