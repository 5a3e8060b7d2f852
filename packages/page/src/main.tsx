import { render } from "preact";
import { App } from "./app.tsx";
import { enter } from "./page-key.ts";
import "./style/base.css";
import "./style/head.css";
import "./style/asks.css";
import "./style/stream.css";
import "./style/reply.css";
import "./style/foot.css";

// A link of `moth open` leads here with its key, which has no place in the address bar or the history.
const isLink = location.pathname === "/open";
const key = new URLSearchParams(location.search).get("key") ?? "";
if (location.pathname !== "/") history.replaceState(null, "", "/");
// A moth that does not answer has not seen the link either: that it sleeps is told by what follows.
const entered = isLink ? enter(key).catch(() => true) : Promise.resolve(true);

render(<App entered={entered} />, document.querySelector("#moth")!);
