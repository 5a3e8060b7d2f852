/** The least a JSON server in Node can be: reads an object, answers an object. Plain JavaScript, so that its start is a bare one, too. */
import { createServer } from "node:http";

createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const report = body === "" ? {} : JSON.parse(body);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ok: typeof report === "object" }));
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
