/** A connection to the session's D-Bus. One of our own, since a desktop tells only the asker what became of a notification. */
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Env } from "@moth-companion/core/paths";
import { type Call, decodeMessage, encodeCall, ERROR, type Message, RETURN, SIGNAL } from "./wire.ts";

export interface Bus {
  /** @returns the answer's values. Rejects with an Error that names what the other side said, or after 5 seconds */
  call(call: Call): Promise<(string | number)[]>;
  close(): void;
}

const TIMEOUT_MS = 5000;
const DAEMON = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus" };

/** Where the session's bus listens, as paths of sockets; a leading NUL is Linux's abstract namespace. */
export function busPaths(env: Env): string[] {
  const given = env["DBUS_SESSION_BUS_ADDRESS"];
  const runtime = env["XDG_RUNTIME_DIR"] ? join(env["XDG_RUNTIME_DIR"], "bus") : undefined;
  if (!given) return runtime === undefined ? [] : [runtime];
  return given.split(";").flatMap((address) => {
    const [, options] = /^unix:(.*)$/.exec(address) ?? [];
    const pairs = new Map((options ?? "").split(",").map((pair) => pair.split("=", 2) as [string, string]));
    const path = pairs.get("path");
    const abstract = pairs.get("abstract");
    if (path) return [unescapeValue(path)];
    if (abstract) return [`\0${unescapeValue(abstract)}`];
    return pairs.get("runtime") === "yes" && runtime !== undefined ? [runtime] : [];
  });
}

/**
 * Connects to the first bus that takes us.
 * @param onSignal each signal of `interface` @param onClose the bus has gone; called once, and not after `close`
 * @throws Error when there is none
 */
export async function openBus(
  env: Env,
  { interface: name, onSignal, onClose }: { interface: string; onSignal: (signal: Message) => void; onClose: () => void },
): Promise<Bus> {
  let failure = new Error("there is no session bus");
  for (const path of busPaths(env)) {
    try {
      const bus = talk(await dial(path), onSignal, onClose);
      await bus.call({ ...DAEMON, member: "Hello", signature: "", body: () => undefined });
      const rule = `type='signal',interface='${name}'`;
      await bus.call({ ...DAEMON, member: "AddMatch", signature: "s", body: (writer) => writer.string(rule) });
      return bus;
    } catch (error) {
      failure = error instanceof Error ? error : failure;
    }
  }
  throw failure;
}

/** Connects and says who we are. The socket holds no process. */
function dial(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path).unref();
    const timer = setTimeout(() => fail(new Error("the session bus does not answer")), TIMEOUT_MS).unref();
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    socket.on("error", fail);
    socket.once("close", () => fail(new Error("the session bus hung up")));
    const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString("hex");
    socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    socket.once("data", (answer) => {
      if (!answer.toString("latin1").startsWith("OK ")) return fail(new Error("the session bus does not take this user"));
      clearTimeout(timer);
      socket.removeAllListeners("close");
      socket.write("BEGIN\r\n");
      resolve(socket);
    });
  });
}

function talk(socket: Socket, onSignal: (signal: Message) => void, onClose: () => void): Bus {
  const waiting = new Map<number, { resolve: (values: (string | number)[]) => void; reject: (error: Error) => void }>();
  let serial = 0;
  let received: Buffer = Buffer.alloc(0);

  function take({ replySerial = 0, ...message }: Message): void {
    // Later than whoever waits for the answer before it: only then is the number known that a signal names.
    if (message.type === SIGNAL) return void setImmediate(onSignal, message);
    const asked = waiting.get(replySerial);
    waiting.delete(replySerial);
    if (message.type === RETURN) asked?.resolve(message.values);
    if (message.type === ERROR) asked?.reject(new Error(String(message.values[0] ?? message.errorName)));
  }

  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    try {
      for (let found = decodeMessage(received); found; found = decodeMessage(received)) {
        received = received.subarray(found.size);
        take(found.message);
      }
    } catch {
      socket.destroy();
    }
  });
  socket.on("error", () => undefined);
  socket.once("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the session bus hung up"));
    onClose();
  });

  return {
    call(call) {
      const number = ++serial;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => settle(() => reject(new Error(`${call.destination} does not answer`))),
          TIMEOUT_MS,
        ).unref();
        const settle = (fn: () => void): void => {
          clearTimeout(timer);
          waiting.delete(number);
          fn();
        };
        waiting.set(number, {
          resolve: (values) => settle(() => resolve(values)),
          reject: (error) => settle(() => reject(error)),
        });
        if (socket.destroyed) return waiting.get(number)?.reject(new Error("the session bus hung up"));
        socket.write(encodeCall(call, number));
      });
    },
    close() {
      socket.removeAllListeners("close");
      socket.destroy();
    },
  };
}

/** A value of an address writes odd bytes as `%xx`. */
function unescapeValue(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
