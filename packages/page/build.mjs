// Builds the page: one script and one style, put into one HTML text, and the policy that allows these two and nothing else.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harnesses } from "@moth-companion/harnesses";
import { build } from "vite";
import { foreignFolders, LICENSES, licensesText } from "../../scripts/licenses.ts";

const here = import.meta.dirname;
const shortNames = Object.fromEntries(harnesses.map(({ id, short }) => [id, short]));

const { output } = await build({
  root: here,
  configFile: false,
  logLevel: "warn",
  define: { SHORT_NAMES: JSON.stringify(shortNames) },
  resolve: { conditions: ["moth-src", "module", "browser", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    write: false,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: { input: join(here, "src/main.tsx") },
  },
});

const scripts = output.filter((part) => part.type === "chunk");
const styles = output.filter((part) => part.type === "asset" && part.fileName.endsWith(".css"));
if (scripts.length !== 1 || styles.length !== 1) {
  throw new Error(`The page must be one script and one style, the build gave ${output.map((part) => part.fileName).join(", ")}`);
}
// What would end the element early, or switch the HTML parser to another state, is written as an escape.
const script = scripts[0].code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--").trim();
const style = String(styles[0].source).replaceAll("</style", "<\\/style").trim();

const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");
const html = readFileSync(join(here, "src/page.html"), "utf8")
  .replace(/<style>[^]*?<\/style>/, () => `<style>${style}</style>`)
  .replace(/<script type="module">[^]*?<\/script>/, () => `<script type="module">${script}</script>`);

mkdirSync(join(here, "dist"), { recursive: true });
const foreign = foreignFolders(Object.keys(scripts[0].modules));
writeFileSync(join(here, "dist", LICENSES), `${licensesText(foreign)}\n`);
writeFileSync(
  join(here, "dist/index.js"),
  `export const html = ${JSON.stringify(html)};\nexport const policy = ${JSON.stringify(policy)};\n`,
);

/** As a policy names an inline script or style. */
function hash(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
