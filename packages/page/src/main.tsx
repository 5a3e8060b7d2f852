import { render } from "preact";
import { App } from "./app.tsx";
import "./style/base.css";
import "./style/head.css";
import "./style/asks.css";
import "./style/stream.css";
import "./style/reply.css";
import "./style/foot.css";

// A link that was used or is too old leads here with its key; it has no use in the address bar or the history.
const isStaleLink = location.pathname === "/open";
if (location.pathname !== "/") history.replaceState(null, "", "/");

render(<App isStaleLink={isStaleLink} />, document.querySelector("#moth")!);
