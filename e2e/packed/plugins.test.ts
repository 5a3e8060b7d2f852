import { doors } from "./doors.ts";
import { tryEach } from "./try-each.ts";

tryEach(doors.filter(({ loadsPlugins }) => loadsPlugins));
