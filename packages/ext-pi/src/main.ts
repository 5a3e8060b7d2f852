/**
 * moth's extension for Pi and omp, one file for both. Seen on Pi 1.6.0 and omp 18.2.3; `docs/harness/pi.md` and `omp.md` tell what was seen.
 *
 * It never throws, and starts no timer of its own that could: in Pi a throwing extension is the end of the process.
 */
import { createOutbox } from "@moth-companion/core/outbox";
import { createAnswering } from "./answering.ts";
import { bringCommand, hasCommand } from "./command.ts";
import { createDisplay } from "./display.ts";
import { field } from "@moth-companion/core/fields";
import { type Host, listen } from "./host.ts";
import { isInside, mark } from "./inside.ts";
import { createListener } from "./listener.ts";
import { hearOmp, isOmpHelper } from "./omp.ts";
import { createOrders } from "./orders.ts";
import { hearPi } from "./pi.ts";

export default function moth(host: Host): void {
  try {
    // Only omp hands itself to extensions.
    const isOmp = "pi" in host;
    const inside = isInside(process.env, process.pid);
    if (!inside) mark(process.env, process.pid);
    const outbox = createOutbox();
    const source = isOmp ? "omp" : "pi";
    const display = createDisplay(source);
    const listener = createListener({ source, pid: process.pid, reports: outbox, display });
    const answering = createAnswering({ source, listener });

    // omp knows no command for its suggestions that comes later than this, and of two copies of this file it takes one.
    if (isOmp) bringCommand(host, display);
    listen(host, "session_start", (_event, place, context) => {
      // Of two Pi makes /moth:1 and /moth:2, and takes a /moth for a prompt.
      if (!isOmp && !hasCommand(host)) bringCommand(host, display);
      // A run without a screen that an agent started is that agent's helper; so is an agent that another made in this process.
      const helps = (inside && !place.attended) || (isOmp && isOmpHelper(host));
      if (helps) return;
      listener.met(place);
      // A program that shows the harness's dialogs would not hear that one is over.
      if (place.screen?.hasEditor) answering.enter(field(context, "ui"));
      orders.enter(place, context);
    });
    if (isOmp) hearOmp(host, listener, answering);
    else hearPi(host, listener, answering);
    const orders = createOrders(source, host);
    listen(host, "session_shutdown", (event) => {
      answering.leave();
      orders.leave();
      // After a reload the same session goes on.
      if (field(event, "reason") !== "reload") listener.left();
      else display.left();
      return outbox.flush();
    });
  } catch {
    // Then the harness works as it would without moth.
  }
}
