import type { FileChange, Plan } from "../types.ts";

/** Two plans as one. Both may change moth's notes: what either changes in them holds. */
export function bothPlans(one: Plan, other: Plan): Plan {
  const changes = [...one.changes];
  for (const change of other.changes) {
    const at = changes.findIndex(({ file }) => file === change.file);
    const first = changes[at];
    if (first) changes[at] = bothNotes(first, change);
    else changes.push(change);
  }
  // moth's own files come first, so that no hook points at nothing.
  const own = changes.filter((change) => change.own && change.after);
  return {
    ...other,
    changes: [...own, ...changes.filter((change) => !own.includes(change))],
    folders: [...(one.folders ?? []), ...(other.folders ?? [])],
    notes: [...one.notes, ...other.notes],
  };
}

function bothNotes(one: FileChange, other: FileChange): FileChange {
  if (one.after && other.after && one.after.equals(other.after)) return one;
  const [before, mine, theirs] = [other.before, one.after, other.after].map(read);
  const merged: Record<string, unknown> = { ...mine };
  for (const key of new Set([...Object.keys(before ?? {}), ...Object.keys(theirs ?? {})])) {
    if (JSON.stringify(before?.[key]) === JSON.stringify(theirs?.[key])) continue;
    if (theirs && key in theirs) merged[key] = theirs[key];
    else delete merged[key];
  }
  const after = Object.keys(merged).length > 0 ? Buffer.from(`${JSON.stringify(merged, null, 2)}\n`) : undefined;
  return { ...one, after };
}

function read(bytes: Buffer | undefined): Record<string, unknown> {
  return bytes ? (JSON.parse(bytes.toString("utf8")) as Record<string, unknown>) : {};
}
