// Builds the page of the studio into src/torsor/studio/static. With a folder as its argument it writes there instead,
// for the test that compares.
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../node_modules/esbuild/lib/main.js";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "..", "src", "torsor", "studio", "static");
mkdirSync(target, { recursive: true });

const common = { bundle: true, minify: true, charset: "ascii", legalComments: "none", target: "es2022", logLevel: "warning" };
await build({ ...common, entryPoints: [join(here, "studio.js")], format: "iife", outfile: join(target, "studio.js") });
// of KaTeX's fonts every browser takes woff2; they stand in the style sheet, so that nothing else is fetched
await build({ ...common, entryPoints: [join(here, "studio.css")], outfile: join(target, "studio.css"),
  loader: { ".woff2": "dataurl", ".woff": "empty", ".ttf": "empty" } });
copyFileSync(join(here, "studio.html"), join(target, "studio.html"));
