import { type RunningServer, ServerError, type ServerOptions, startServer } from "@moth-companion/server";
import { EXIT, Failure } from "../errors.ts";
import { reportHooks } from "../hook-report.ts";
import { columnsOf, type Io, print, say, styleOf, warn } from "../io.ts";
import { notifySettings } from "../notify/notify-settings.ts";
import { browserCommand, openBrowser } from "../open/browser.ts";
import { nextStep } from "../next-step.ts";
import { commandName, version } from "../self.ts";
import { readSettings, type Settings } from "../settings.ts";
import { onEnding } from "../signals.ts";
import { renderHarnesses, reportElsewhere } from "./greeting.ts";
import { isUpAlready } from "./running.ts";
import { waysTo } from "./ways-to.ts";

/** `moth up`: runs the server until someone ends it. */
export async function runForeground(settings: Settings, io: Io): Promise<number> {
  if (await isUpAlready(settings, io)) return EXIT.ok;
  // Before the server starts, so that a signal during its start ends it cleanly as well.
  const ended = new Promise<void>((resolve) => onEnding(resolve));
  const server = await start(settings, io);
  await Promise.race([greet(server, settings, io), ended]);
  await ended;
  await server.stop();
  print(io, "moth is asleep.");
  return EXIT.ok;
}

async function start(settings: Settings, io: Io): Promise<RunningServer> {
  const host = settings.values.host;
  try {
    return await startServer({
      // A name would be looked up, and may come out as either of two addresses.
      host: host === "localhost" ? "127.0.0.1" : host,
      port: settings.values.port,
      batch: {
        reactEvery: settings.values.react_every,
        quietAfter: settings.values.quiet_after,
        batchWindow: settings.values.batch_window,
      },
      env: io.env,
      // Asked when there is something to tell, so that a change needs no restart.
      notify: () => notifySettings(readSettings(io.env).values),
      openPage(url) {
        const browser = browserCommand(url, io.env);
        if (browser) void openBrowser(browser, io.env);
      },
      version: version(),
      self: waysTo(settings, io.env).self ?? commandName(io.env),
      ...modelOf(settings),
    });
  } catch (error) {
    if (error instanceof ServerError) throw new Failure("FAILED", error.message, undefined, error);
    throw error;
  }
}

function modelOf({ values }: Settings): Pick<ServerOptions, "model"> {
  if (values.voice !== "openai" || !values["voice.url"]) return {};
  const { "voice.url": url, "voice.model": model, "voice.key_env": keyEnv, "voice.home": home } = values;
  return { model: { url, model, keyEnv, home } };
}

async function greet(server: RunningServer, settings: Settings, io: Io): Promise<void> {
  const style = styleOf(io);
  print(io, `${style.lamp("moth")} ${version()} listens at ${server.url}`);
  warn(io, ...reportElsewhere(server, io.env));
  try {
    const reports = await reportHooks(io.env);
    const here = renderHarnesses(reports, columnsOf(io));
    print(io, "", ...(here.length > 0 ? [...here, ""] : []));
    say(io, nextStep(reports, commandName(io.env), waysTo(settings, io.env).self));
    // In a log there is nobody to press it.
    if (io.stdout.isTTY) print(io, style.dim("ctrl-c puts moth to sleep."));
  } catch (error) {
    // The greeting is a courtesy: moth runs without it.
    warn(io, `moth: the harnesses here could not be looked at (${error instanceof Error ? error.message : String(error)})`);
  }
}
