// Makes the files that caddis carries: node build.mjs [FOLDER]. In it are then index.html, app.js, app.css, and
// app.js.gz and app.css.gz, the same packed. Packing is done by a fixed recipe, so that equal sources give equal bytes.
import {build} from "esbuild";
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {gzipSync} from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../dist/engine");
const kMostPacked = 150_000;

mkdirSync(out, {recursive: true});
await build({
  entryPoints: [join(here, "src/app.tsx")],
  outfile: join(out, "app.js"),
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2022", "chrome100", "firefox100", "safari15"],
  jsx: "automatic",
  jsxImportSource: "preact",
  nodePaths: [join(here, "node_modules")],  // for the pages of web/harvest, too
  legalComments: "eof",
  logLevel: "warning",
});
copyFileSync(join(here, "src/index.html"), join(out, "index.html"));
let packed = 0;
for (const name of ["app.js", "app.css"]) {
  const bytes = gzipSync(readFileSync(join(out, name)), {level: 9});
  packed += bytes.length;
  writeFileSync(join(out, name + ".gz"), bytes);
}
if (packed > kMostPacked) {
  console.error(`the pages have ${packed} bytes packed; at most ${kMostPacked} are allowed, for slow lines`);
  process.exit(1);
}
