import { join } from "node:path";
import { field } from "@moth-companion/core/fields";
import { copilotSettings } from "./settings.ts";

/** moth's plugins that Copilot loads: those that are on, of marketplaces that it still knows (1.0.102). */
export function pluginsIn(home: string): string[] {
  const settings = copilotSettings(join(home, "settings.json"));
  const enabled = field(settings, "enabledPlugins");
  const markets = field(settings, "extraKnownMarketplaces");
  if (typeof enabled !== "object" || enabled === null) return [];
  return Object.entries(enabled).flatMap(([id, on]) => {
    const [name, market = ""] = id.split("@");
    return name === "moth" && on === true && field(markets, market) !== undefined ? [id] : [];
  });
}
