// moth's row in dsh's page, run as the page runs it: listed in the index, loaded from dsh's web server, drawn by a React of two hooks.
import { runInNewContext } from "node:vm";

export async function openRow(origin, redraw) {
  // What a browser says of a page's own requests.
  const own = (path, options) => fetch(new URL(path, origin), { ...options, headers: { "sec-fetch-site": "same-origin" } });
  const listed = /__DSH_BOOT__\.entries\.push\((\{.*?\})\)/.exec(await (await own("/")).text());
  if (!listed) return () => [];
  const { id, url } = JSON.parse(listed[1]);
  const window = { __ModuleLoader__: { load: (registration) => (window.loaded = registration) } };
  runInNewContext(await (await own(url)).text(), { window, fetch: own, AbortController });
  if (window.loaded.id !== id) throw new Error(`${url} is ${window.loaded.id}`);

  const hooks = [];
  let at = 0;
  const react = {
    createElement: (_type, _props, ...children) => children.join(""),
    useState(first) {
      const hook = (hooks[at++] ??= { value: first });
      const set = (value) => {
        hook.value = value;
        redraw();
      };
      return [hook.value, set];
    },
    useEffect(effect, on) {
      const hook = (hooks[at++] ??= {});
      if (hook.on?.every((value, index) => value === on[index])) return;
      hook.undo?.();
      Object.assign(hook, { on, undo: effect() });
    },
  };
  let draw;
  const slots = { inject: (_slot, start) => start(), register: (_entry, component) => (draw = component) };
  window.loaded.factory(() => react).apply({ slots });
  return (sessionId, running, nodes) => {
    at = 0;
    const row = draw({ sessionId, useSession: (select) => select({ running, chat: { legacy: { nodes } } }) });
    return row ? [row] : [];
  };
}
