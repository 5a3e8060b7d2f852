// dsh has no screen in a terminal. This one stands in for its page in the browser, and speaks to dsh as that page does: calls and a
// stream of events over its own web server. It runs inside dsh, so that the terminal's process is dsh's.
import { openRow } from "./dsh-row.js";

export const name = "screen";
export const inject = ["webServer"];

export function apply(ctx) {
  const page = { ctx, lines: [], partial: "", dialogs: [], draft: "", busy: false, open: false, session: "", row: () => [] };
  start(page).catch((error) => {
    page.lines.push(String(error));
    draw({ ...page, open: true });
  });
}

async function start(page) {
  // Until then the server has no port.
  while (!(await call(page, "host.describe").catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 20));
  const socket = new WebSocket(`ws://${address(page)}/api/events.mux`);
  socket.addEventListener("message", ({ data }) => hear(page, JSON.parse(data)));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  // dsh's own arguments say nothing to a page. A host that nobody calls does no harm.
  const told = process.argv.flatMap((word) => /^--trusted-host=(.+)\.invalid$/.exec(word)?.[1] ?? []);
  const resumed = told.find((word) => word.startsWith("session-"));
  page.session = resumed ?? (await call(page, "session.create", { cwd: process.cwd() })).sessionId;
  page.row = await openRow(`http://${address(page)}`, () => draw(page));
  if (told.includes("plan")) await command(page, "/plan");
  process.stdin.setRawMode(true);
  process.stdin.setEncoding("utf8").on("data", (keys) => void type(page, keys));
  page.open = true;
  draw(page);
}

function hear(page, { rpcId, method, payload }) {
  if (/^(approval|question)\/requested$/.test(method)) page.dialogs.push({ rpcId, ...payload });
  if (method === "approval/resolved") page.dialogs = page.dialogs.filter(({ approvalId }) => approvalId !== payload.approvalId);
  if (method === "question/resolved") page.dialogs = page.dialogs.filter(({ rpcId }) => rpcId !== payload.questionRpcId);
  if (method === "session/event" && payload.sessionId === page.session) follow(page, payload.event);
  draw(page);
}

function follow(page, { type, data }) {
  if (type === "turn/start") page.busy = true;
  if (type === "assistant/chunk" && data.chunk.type === "text-delta") page.partial += data.chunk.text ?? data.chunk.delta ?? "";
  if (type === "assistant/message") {
    const text = data.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    if (text) page.lines.push(`dsh: ${text}`);
    page.partial = "";
  }
  if (type === "command/run") page.lines.push(`/${data.name}`);
  if (type === "command/done" && data.text) page.lines.push(data.text);
  if (type === "turn/end") {
    page.busy = false;
    page.partial = "";
    const { kind, error } = data.reason;
    if (kind !== "completed") page.lines.push(`${kind}: ${error?.message ?? ""}`);
  }
}

async function type(page, keys) {
  for (const key of keys) {
    const [dialog] = page.dialogs;
    if (key === "\x1b") await call(page, "session.cancel", { sessionId: page.session });
    else if (dialog) await answer(page, dialog, key);
    else if (key === "\r") await submit(page);
    else page.draft += key;
  }
  draw(page);
}

async function answer(page, { rpcId, sessionId, approvalId, questions }, key) {
  const [question] = questions ?? [];
  const label = question?.options[Number(key) - 1]?.label;
  const outcome = { y: "allowed-once", n: "rejected" }[key];
  if (!(question ? label : outcome)) return;
  const value = question
    ? { sessionId, answer: { answers: [{ id: question.id, selected: [label] }] } }
    : { sessionId, approvalId, outcome };
  await post(page, "respond", { type: "client-response", rpcId, result: { ok: true, value } });
}

async function submit(page) {
  const text = page.draft;
  page.draft = "";
  const sessionId = page.session;
  if (text === "/quit") process.kill(process.pid, "SIGTERM");
  else if (text === "/new") page.session = (await call(page, "session.create", { cwd: process.cwd() })).sessionId;
  else if (text === "/fork") page.session = (await call(page, "session.fork", { sessionId })).sessionId;
  else if (text.startsWith("/")) await command(page, text);
  else {
    page.busy = true;
    page.lines.push(`you: ${text}`);
    await call(page, "session.prompt", { sessionId, mode: "queue", content: [{ type: "text", text }] });
  }
}

async function command(page, line) {
  page.busy = true;
  draw(page);
  await call(page, "commands/execute", { args: { agentId: page.session, line, images: [] } });
  page.busy = false;
}

async function call(page, method, payload = {}) {
  const message = { type: "client-request", rpcId: crypto.randomUUID(), method, payload };
  const { result } = await (await post(page, method, message)).json();
  if (!result.ok) throw new Error(`${method}: ${result.error.message}`);
  return result.value;
}

function post(page, path, message) {
  const body = JSON.stringify(message);
  return fetch(`http://${address(page)}/api/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body });
}

function address({ ctx }) {
  return `127.0.0.1:${ctx.webServer.port}`;
}

function draw({ lines, partial, dialogs, draft, busy, open, session, row }) {
  // Whoever sees a composer types.
  if (!open) return;
  const [dialog] = dialogs;
  const state = dialog ? describe(dialog) : busy ? "working" : "";
  const said = [...lines, ...(partial ? [`dsh: ${partial}`] : [])].slice(-12);
  const rows = [...said, ...row(session, busy, lines), state, "─".repeat(100), `> ${draft}`];
  process.stdout.write(`\x1b[2J\x1b[3J\x1b[H${rows.join("\n").replaceAll("\n", "\r\n")}`);
}

function describe({ toolName, callId, questions }) {
  const [question] = questions ?? [];
  if (!question) return `Permission for ${toolName} ${callId}? y/n`;
  const options = question.options.map(({ label }, at) => `${at + 1} ${label}`).join("  ");
  return `${question.intent ? "A plan" : "A question"}: ${question.question} ${options}`;
}
