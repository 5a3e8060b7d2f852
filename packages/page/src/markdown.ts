/**
 * An agent's Markdown as elements. What agents write is a stranger's text: HTML in it shows as text, images become links, and what is
 * left passes a short list of allowed elements. Nothing is fetched; links open with a click, elsewhere, without telling from where.
 */
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { highlight } from "./highlight.ts";

const TAGS = "a blockquote br code del em h4 hr li ol p pre strong table tbody td th thead tr ul".split(" ");
const ATTRIBUTES = ["href", "start", "align", "class"];
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || "image")}</a>`,
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // The card's own heading is of the third rank, and agents leave ranks out: a screen reader's list of headings stays in order.
    heading({ tokens }) {
      return `<h4>${this.parser.parseInline(tokens)}</h4>`;
    },
  },
});

export function render(text: string): DocumentFragment {
  try {
    const fragment = DOMPurify.sanitize(marked.parse(text, { async: false }), {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOWED_URI_REGEXP: SAFE_LINK,
      // These hold no address, so the pattern above is not for them.
      ADD_URI_SAFE_ATTR: ["align", "start"],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    });
    for (const link of fragment.querySelectorAll("a")) finishLink(link);
    for (const code of fragment.querySelectorAll("code")) finishCode(code);
    return fragment;
  } catch {
    const plain = document.createElement("pre");
    plain.textContent = text;
    const fragment = document.createDocumentFragment();
    fragment.append(plain);
    return fragment;
  }
}

/** Links say where they lead, and lead there only with a click. */
function finishLink(link: HTMLAnchorElement): void {
  const href = link.getAttribute("href") ?? "";
  link.removeAttribute("class");
  if (!SAFE_LINK.test(href)) return link.replaceWith(...link.childNodes);
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.title = href;
}

function finishCode(code: HTMLElement): void {
  const language = /^language-([\w+#-]{1,20})$/.exec(code.className)?.[1];
  code.removeAttribute("class");
  if (code.parentElement?.tagName !== "PRE") return;
  // What scrolls sideways must be reachable by keyboard.
  code.parentElement.tabIndex = 0;
  highlight(code, language?.toLowerCase());
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
