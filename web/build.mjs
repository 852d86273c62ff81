// Builds the page: all modules as one script, all styles as one sheet, into src/torsor/report.
// With a folder as its argument it writes there instead, for the test that compares.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "src", "torsor", "report");

// What the bundle is made from, named in its first line; tests/report/test_bundle.py computes the same.
const sources = readdirSync(here).filter((name) => /\.(js|mjs|css|json)$/.test(name)).sort();
const sum = createHash("sha256");
for (const name of sources) sum.update(`${name}\n`).update(readFileSync(join(here, name)));
const stamp = `/* built from web/ ${sum.digest("hex")} by make web: change it there */`;

// The page has no addresses in it, and needs none: elements made in an HTML document are HTML.
const withoutAddresses = {
  name: "without-addresses",
  setup: ({ onLoad }) =>
    onLoad({ filter: /three[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /document\.createElementNS\(\s*'http:\/\/www\.w3\.org\/1999\/xhtml',\s*name\s*\)/g, "document.createElement( name )"),
      loader: "js",
    })),
};

const common = { bundle: true, minify: true, charset: "ascii", legalComments: "none", target: "es2022", logLevel: "warning" };
await build({ ...common, entryPoints: [join(here, "main.js")], format: "iife", banner: { js: stamp },
  plugins: [withoutAddresses], outfile: join(target, "page.js") });
await build({ ...common, entryPoints: [join(here, "style.css")], banner: { css: stamp }, outfile: join(target, "page.css") });

const script = readFileSync(join(target, "page.js"), "utf8");
const forbidden = script.match(/.{30}(<\/script|<!--|https?:\/\/[a-z0-9-]+\.[a-z]).{30}/i);
if (forbidden) throw new Error(`page.js cannot stand in a page: ${forbidden[0]}`);
