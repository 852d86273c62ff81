// Builds the page of torsor monitor into src/torsor/studio/static. With a folder as its argument it writes there instead,
// for the test that compares.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../node_modules/esbuild/lib/main.js";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "..", "src", "torsor", "studio", "static");
mkdirSync(target, { recursive: true });

// What the bundle is made from, named in its first line; tests/studio/test_bundle.py computes the same.
const sum = createHash("sha256");
for (const folder of ["", "monitor"])
  for (const name of readdirSync(join(here, "..", folder)).filter((name) => /\.(js|mjs|css|json|html)$/.test(name)).sort())
    sum.update(`${folder}/${name}\n`).update(readFileSync(join(here, "..", folder, name)));
const stamp = `/* built from web/ and web/monitor/ ${sum.digest("hex")} by node web/monitor/build.mjs: change it there */`;

const common = { bundle: true, minify: true, charset: "ascii", legalComments: "none", target: "es2022", logLevel: "warning" };
await build({ ...common, entryPoints: [join(here, "monitor.js")], format: "iife", banner: { js: stamp }, outfile: join(target, "monitor.js") });
await build({ ...common, entryPoints: [join(here, "monitor.css")], banner: { css: stamp }, outfile: join(target, "monitor.css") });
copyFileSync(join(here, "monitor.html"), join(target, "monitor.html"));
