// Builds the page of the studio into src/torsor/studio/static. With a folder as its argument it writes there instead,
// for the test that compares.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../node_modules/esbuild/lib/main.js";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "..", "src", "torsor", "studio", "static");
mkdirSync(target, { recursive: true });

// What the bundle is made from, named in its first line; tests/studio/test_bundle.py computes the same.
const sum = createHash("sha256");
for (const folder of ["", "studio"])
  for (const name of readdirSync(join(here, "..", folder)).filter((name) => /\.(js|mjs|css|json|html)$/.test(name)).sort())
    sum.update(`${folder}/${name}\n`).update(readFileSync(join(here, "..", folder, name)));
const stamp = `/* built from web/ and web/studio/ ${sum.digest("hex")} by node web/studio/build.mjs: change it there */`;

const common = { bundle: true, minify: true, charset: "ascii", legalComments: "none", target: "es2022", logLevel: "warning" };
await build({ ...common, entryPoints: [join(here, "studio.js")], format: "iife", banner: { js: stamp }, outfile: join(target, "studio.js") });
// of KaTeX's fonts every browser takes woff2; they are files beside the style sheet
await build({ ...common, entryPoints: [join(here, "studio.css")], banner: { css: stamp }, outfile: join(target, "studio.css"),
  assetNames: "[name]", loader: { ".woff2": "file", ".woff": "empty", ".ttf": "empty" } });
copyFileSync(join(here, "studio.html"), join(target, "studio.html"));

const licence = (path) => readFileSync(join(here, path), "utf8").trim();
writeFileSync(join(target, "licences.txt"), [
  ["three.js", licence("../node_modules/three/LICENSE")],
  ["uPlot", licence("../node_modules/uplot/LICENSE")],
  ["KaTeX and its fonts", licence("node_modules/katex/LICENSE")],
].map(([name, text]) => `${name}\n\n${text}\n`).join("\n\n"));
