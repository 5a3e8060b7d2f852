/** What agents write is a stranger's text. Whatever it is: no script of its runs, and nothing is fetched from anywhere but moth. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { post, started } from "../support.ts";
import { enter, hasChromium, useBrowser } from "./chromium.ts";

const { newPage } = useBrowser();

/** `PWN` stands for a call that a script would make, `OUT` for an address elsewhere. */
const CORPUS = [
  "<script>PWN</script>",
  "<script src=OUT/a.js></script>",
  "<img src=x onerror=PWN>",
  "<img src=OUT/a.png>",
  "![a](OUT/b.png)",
  "![a][1]\n\n[1]: OUT/c.png",
  "[![a](OUT/d.png)](OUT/e)",
  "<svg onload=PWN><script>PWN</script></svg>",
  "<svg><style><img src=x onerror=PWN></style></svg>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=PWN&gt;">',
  "<iframe src=javascript:PWN></iframe>",
  "<iframe srcdoc='<script>parent.PWN</script>'></iframe>",
  "<object data=OUT/a.swf></object><embed src=OUT/b.swf>",
  "<link rel=stylesheet href=OUT/a.css><style>@import 'OUT/b.css'; * { background: url(OUT/c.png) }</style>",
  "<link rel=dns-prefetch href=OUT><link rel=preconnect href=OUT>",
  "<meta http-equiv=refresh content='0;url=OUT/meta'>",
  "<base href=OUT/>",
  "<form action=OUT/form><button autofocus onfocus=PWN>x</button></form><input autofocus onfocus=PWN>",
  "<details open ontoggle=PWN>x</details>",
  "<video src=OUT/v.mp4 autoplay onerror=PWN></video><audio src=OUT/a.mp3 autoplay></audio>",
  "<body onload=PWN><div style='background:url(OUT/s.png)' onmouseover=PWN>x</div>",
  "<a href='javascript:PWN'>click</a>",
  "[click](javascript:PWN)",
  "[click](JaVaScRiPt:PWN)",
  "[click](&#106;avascript:PWN)",
  "[click](java\tscript:PWN)",
  "[click](data:text/html,<script>PWN</script>)",
  "[click](vbscript:PWN)",
  "[click](file:///etc/passwd)",
  "[click](//OUT)",
  "[click](/api/reset)",
  "<javascript:PWN>",
  "[a]: javascript:PWN\n\n[a]",
  "`<img src=x onerror=PWN>`",
  "```html\n<img src=x onerror=PWN>\n</code></pre><img src=x onerror=PWN>\n```",
  '```"><img/src=x/onerror=PWN>\ncode\n```',
  "[x](https://example.com \"t' onmouseover='PWN\")",
  '[x](https://example.com/"onmouseover="PWN)',
  "# <img src=x onerror=PWN>\n\n| <img src=x onerror=PWN> | b |\n|---|---|\n| <svg onload=PWN> | c |",
  "- [x] <img src=x onerror=PWN>",
  "<!-- --!><img src=x onerror=PWN> -->",
  "<![CDATA[<img src=x onerror=PWN>]]>",
  '<noscript><p title="</noscript><img src=x onerror=PWN>">',
  "<template><img src=x onerror=PWN></template><xmp><img src=x onerror=PWN></xmp><plaintext>",
  "<div id=moth></div><a id=talk name=document href=OUT>clobber</a><form name=fetch><input name=URL>",
  "</div></article></main><h1>moth was started anew</h1>",
  "</script><script>PWN</script>",
  "{{constructor.constructor('PWN')()}} ${PWN}",
  "a".repeat(20_000),
  "[".repeat(3000),
  "*_".repeat(2000),
  "> ".repeat(500) + "x",
  "<".repeat(3000) + "a",
];

const filled = (text: string): string => text.replaceAll("PWN", "window.pwned=1").replaceAll("OUT", "http://out.example:9");

/** Every request of a page's, and every complaint of its policy. */
function recorded(page: Page): string[] {
  const seen: string[] = [];
  page.on("request", (request) => void seen.push(request.url()));
  page.on("popup", (popup) => void seen.push(`popup ${popup.url()}`));
  return seen;
}

test.skipIf(!hasChromium)("as a reply, as what moth quotes, as a name and as a wait: it is text", async () => {
  const server = await started();
  const page = await newPage();
  const requests = recorded(page);
  await enter(page, server);
  let dialogs = 0;
  page.on("dialog", (dialog) => (dialogs++, void dialog.dismiss()));
  for (const [index, text] of CORPUS.entries()) {
    const about = {
      source: filled("<img src=x onerror=PWN>").slice(0, 60),
      session: `s${index}`,
      label: filled(text).slice(0, 40) || "x",
    };
    await post(server, "/api/agent", { ...about, text: filled(text) });
  }
  const wait = { id: "w", kind: "permission", tool: filled("<img src=x onerror=PWN>"), answerable: false };
  await post(server, "/api/state", { source: "x", session: "w", label: filled("<svg onload=PWN>"), state: "waiting", wait });
  await post(server, "/api/chat", { text: filled("<img src=x onerror=PWN> the end") });
  await page.getByText("the end").waitFor();
  await page.getByText(`${CORPUS.length + 1} agents active`).waitFor();
  // Whatever hangs on a pointer or on focus.
  await page.evaluate(`for (const element of document.querySelectorAll(".reply *"))
    for (const type of ["mouseover", "focus", "toggle"]) element.dispatchEvent(new Event(type, { bubbles: true }))`);

  expect(await page.evaluate("window.pwned")).toBeUndefined();
  expect(dialogs).toBe(0);
  expect(requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith("data:image/svg"))).toEqual([]);
  expect(requests.filter((url) => /passwd|reset/.test(url))).toEqual([]);
  expect(page.url()).toBe(`${server.url}/`);
  const inside = (selector: string): Promise<number> => page.locator(`.reply :is(${selector})`).count();
  expect(
    await inside("img, svg, math, script, style, iframe, object, embed, form, input, video, audio, link, meta, base, template"),
  ).toBe(0);
  expect(await inside("[id], [name], [style], [onerror], [onload], [onmouseover], [onfocus], [src], [srcset]")).toBe(0);
  expect(await inside("a:not([rel='noopener noreferrer'][target='_blank'])")).toBe(0);
  const links = await page.evaluate<string[]>("[...document.querySelectorAll('.reply a')].map((a) => a.getAttribute('href'))");
  expect(links.length).toBeGreaterThan(3);
  for (const href of links) expect(href).toMatch(/^https?:\/\//);
  // It may not play moth either.
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
});

test.skipIf(!hasChromium)("a link opens elsewhere with a click, and does not tell from where", async () => {
  const server = await started();
  const page = await newPage();
  await enter(page, server);
  const target = await started();
  const heard = new Promise<Record<string, string>>((resolve) => {
    page.context().on("request", (request) => request.url().includes("/elsewhere") && resolve(request.headers()));
  });
  await post(server, "/api/agent", { source: "pi", text: `See [this](${target.url}/elsewhere).` });
  const popup = page.waitForEvent("popup");
  await page.getByRole("link", { name: "this" }).click();
  expect((await heard)["referer"]).toBeUndefined();
  expect(await (await popup).evaluate("window.opener")).toBeNull();
});
