import { mothHome } from "@moth-companion/core/paths";
import { Failure } from "../errors.ts";
import { type Io, warn } from "../io.ts";

/**
 * Before programs that harnesses run are written into moth's folder: nobody else may write there. Closes it when it is open to others, and
 * says so.
 * @throws Failure FILE when it is another's, or cannot be closed
 */
export async function closeOwnFolder(io: Io): Promise<void> {
  const { closeHome, ServerError } = await import("@moth-companion/server");
  try {
    if (closeHome(io.env)) warn(io, `moth: ${mothHome(io.env)} was open to other users of this machine; now it is yours alone.`);
  } catch (error) {
    throw error instanceof ServerError ? new Failure("FILE", error.message, undefined, error) : error;
  }
}
