/** The way from a request's head to its route: what may be asked, by whom. A body is asked for only when it is due. */
import { PAGE_HEADER, TOKEN_HEADER } from "@moth-companion/core/protocol";
import { refuse } from "./answer.ts";
import type { AppParts } from "./app-parts.ts";
import { corsHeaders, isAllowedHost, isOwnPage, originOf, preflight } from "./guard.ts";
import { type Head, type Reply, single } from "./route.ts";
import { ROUTES } from "./routes.ts";

export function createApp(parts: AppParts): (head: Head) => Reply {
  const { hosts, hasToken, keys } = parts;
  return (head) => {
    if (!isAllowedHost(head.rawHeaders, hosts)) {
      const names = [...hosts].join(", ");
      return { answer: refuse("HOST", `The Host header must be one of ${names}. Ask moth by one of these names.`) };
    }
    const queryAt = head.target.indexOf("?");
    const path = queryAt === -1 ? head.target : head.target.slice(0, queryAt);
    const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
    const origin = single(head.headers["origin"]);
    const cors = corsHeaders(origin, route?.readers ?? "local");
    if (head.method !== "GET" && head.method !== "OPTIONS" && !["none", "local"].includes(originOf(origin))) {
      return { answer: refuse("ORIGIN", "Only pages of this machine may post to moth.") };
    }
    if (!route) return { answer: refuse("NOT_FOUND", "There is nothing at this path. moth's routes begin with /api/.", cors) };
    if (head.method === "OPTIONS" && head.headers["access-control-request-method"] !== undefined) {
      const allowed = preflight(origin, route.readers, route.method);
      if (!allowed) return { answer: refuse("ORIGIN", "Pages of this origin may not ask moth.") };
      return { answer: { status: 204, body: "", headers: allowed } };
    }
    if (head.method !== route.method) {
      return { answer: refuse("METHOD", `Ask this path with ${route.method}.`, { ...cors, Allow: route.method }) };
    }
    if (route.needs === "link" && !isOwnPage(head.headers)) {
      return { answer: refuse("ORIGIN", "Only moth's own page may ask this.", cors) };
    }
    const given = hasToken(single(head.headers[TOKEN_HEADER.toLowerCase()]));
    const isKnown = (): boolean => keys.has(single(head.headers[PAGE_HEADER.toLowerCase()]), single(head.headers["cookie"]));
    const isPage = route.needs === "page" && isOwnPage(head.headers) && isKnown();
    const isOpen = route.needs === "nothing" || route.needs === "link";
    if (!isOpen && !given && !isPage) {
      const message = `The header ${TOKEN_HEADER} must hold moth's token. It stands in the file "token" of moth's folder.`;
      return { answer: refuse("TOKEN", message, cors) };
    }
    return route.reply({ search: queryAt === -1 ? "" : head.target.slice(queryAt), cors, head, hasToken: given }, parts);
  };
}
