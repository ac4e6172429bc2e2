// Builds the applications of this folder with what npm has: node build.mjs FOLDER-WITH-PACKAGES OUTPUT
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const [packages, output] = process.argv.slice(2);
const require = createRequire(path.join(packages, 'package.json'));
const esbuild = require('esbuild');
const { compile } = require('svelte/compiler');
const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);

const svelte = {
  name: 'svelte',
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, async ({ path: file }) => ({
      contents: compile(await readFile(file, 'utf8'), { filename: file, generate: 'client' }).js.code,
      resolveDir: path.dirname(file),
    }));
  },
};
const sources = { react: 'react_app.jsx', vue: 'vue_app.js', svelte: 'svelte_app.js', angular: 'angular_app.ts' };
for (const [app, source] of Object.entries(sources)) {
  await esbuild.build({
    entryPoints: [path.join(here, source)],
    outdir: path.join(output, app),
    bundle: true, splitting: true, format: 'esm', minify: true, target: 'es2022',
    nodePaths: [path.join(packages, 'node_modules')],
    alias: { vue: 'vue/dist/vue.esm-bundler.js' },
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
    conditions: ['browser', 'svelte'],
    jsx: 'automatic',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    plugins: [svelte],
  });
}
