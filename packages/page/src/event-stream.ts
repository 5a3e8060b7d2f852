/** A server-sent event stream, read by fetch: `EventSource` can send no headers. Of the format, what moth sends: lines end in \n, data is one line. */

export interface Message {
  /** `message` unless it is named. */
  event: string;
  data: string;
}

/** @returns what takes the stream's text, in pieces cut anywhere, and hands on each message as soon as it is whole */
export function messagesTo(take: (message: Message) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    // The blank line at a message's end may come in two pieces.
    let from = Math.max(0, rest.length - 1);
    let start = 0;
    rest += text;
    for (let end = rest.indexOf("\n\n", from); end !== -1; end = rest.indexOf("\n\n", from)) {
      const message = parse(rest.slice(start, end));
      if (message) take(message);
      from = start = end + 2;
    }
    rest = rest.slice(start);
  };
}

/** Nothing for what only keeps the stream alive. */
function parse(text: string): Message | undefined {
  let event = "message";
  let data: string | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("data: ")) data = line.slice(6);
    else if (line.startsWith("event: ")) event = line.slice(7);
  }
  return data === undefined ? undefined : { event, data };
}

interface Stream {
  headers: Record<string, string>;
  signal: AbortSignal;
  onOpen: () => void;
  onMessage: (message: Message) => void;
}

/** Reads until either end goes. @throws when moth does not answer with a stream, or it breaks */
export async function readStream(target: string, { headers, signal, onOpen, onMessage }: Stream): Promise<void> {
  const answer = await fetch(target, { headers, signal });
  if (!answer.ok || !answer.body) throw new Error(`moth answered ${answer.status}`);
  onOpen();
  const decoder = new TextDecoder();
  const take = messagesTo(onMessage);
  const reader = answer.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) take(decoder.decode(part.value, { stream: true }));
}
