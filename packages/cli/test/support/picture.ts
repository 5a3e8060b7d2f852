/** What is on a terminal's screen, as a picture: SVG, so that it needs no browser, and a change in it can be read. */

/** Neighbouring characters that look alike. */
export interface Run {
  text: string;
  /** Of its first character. */
  column: number;
  columns: number;
  dim: boolean;
  /** Moth's lamp. */
  lamp: boolean;
}

const CELL = { width: 8.4, height: 19 };
const MARGIN = 14;
const INK = { paper: "#16161d", plain: "#dcd7ca", dim: "#8a8678", lamp: "#f2b93b" };

/** @param title stands in a bar above, as a terminal's window has it @param cursor undefined: none is shown */
export function picture(
  rows: readonly (readonly Run[])[],
  options: { title: string; columns: number; cursor?: { row: number; column: number } },
): string {
  const width = Math.round(options.columns * CELL.width + 2 * MARGIN);
  const height = rows.length * CELL.height + 2 * MARGIN + CELL.height;
  const top = (row: number): number => MARGIN + CELL.height * (row + 1);
  const { cursor } = options;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(options.title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${INK.paper}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
    `<text x="${width / 2}" y="${MARGIN + 5}" text-anchor="middle" font-size="12" fill="${INK.dim}">${escape(options.title)}</text>`,
    ...rows.flatMap((runs, row) =>
      runs.map(({ text, column, columns, dim, lamp }) => {
        const fill = lamp ? INK.lamp : dim ? INK.dim : INK.plain;
        const x = (MARGIN + column * CELL.width).toFixed(1);
        return `<text x="${x}" y="${top(row) + 14}" textLength="${(columns * CELL.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs" fill="${fill}">${escape(text)}</text>`;
      }),
    ),
    ...(cursor
      ? [
          `<rect x="${(MARGIN + cursor.column * CELL.width).toFixed(1)}" y="${top(cursor.row)}" width="${CELL.width}" height="${CELL.height - 2}" fill="${INK.plain}"/>`,
        ]
      : []),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
