import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Node 24 has it; the types here are older. */
const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as {
  DatabaseSync: new (file: string, options: { readOnly: boolean }) => Database;
};
interface Database {
  prepare(sql: string): { all(...values: string[]): Record<string, unknown>[] };
  close(): void;
}

/** How a SQLite database begins. */
const SQLITE = "SQLite format 3\0";
/** What is none of a harness's records. */
const NOT_LOOKED_AT = new Set([".moth", "node_modules", "bin", "tmp", "work", "other work"]);

/**
 * What stands in a home folder of one session, whoever wrote it: every file that bears its id (or, as some do, the first 8 characters of
 * it at its end) in its path, byte for byte but for lines `without` finds, and every row of a database that holds the id, each under its own
 * text.
 */
export function recordsOf(home: string, session: string, without: RegExp = /(?!)/): Record<string, string> {
  const found: Record<string, string> = {};
  const short = new RegExp(`-${session.slice(0, 8)}\\.\\w+$`);
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(home.length + 1);
    // "tmp" in the home folder alone: a harness may have one of its own.
    const [top = "", ...parts] = path.split(/[\\/]/);
    if (!entry.isFile() || NOT_LOOKED_AT.has(top) || parts.includes("node_modules")) continue;
    if (path.includes(session) || short.test(path)) found[path] = readFileSync(file, "latin1").replace(without, "");
    else if (beginning(file) === SQLITE) for (const row of rowsOf(file, session)) found[`${path} ${row}`] = "is there";
  }
  return found;
}

function beginning(file: string): string {
  const opened = openSync(file, "r");
  const bytes = Buffer.alloc(SQLITE.length);
  readSync(opened, bytes);
  closeSync(opened);
  return bytes.toString("latin1");
}

function rowsOf(file: string, session: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const all = (sql: string, ...values: string[]): Record<string, unknown>[] => db.prepare(sql).all(...values);
    const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'");
    return tables.flatMap(({ name }) => {
      const columns = all(`PRAGMA table_info("${String(name)}")`).map((column) => `"${String(column["name"])}" = ?1`);
      const rows = all(`SELECT * FROM "${String(name)}" WHERE ${columns.join(" OR ")}`, session);
      return rows.map((row) => `${String(name)} ${JSON.stringify(row, inWhole)}`);
    });
  } finally {
    db.close();
  }
}

function inWhole(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}
