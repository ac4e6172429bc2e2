// Builds the application of webpack, for production and for development (whose modules are in eval): node webpack.mjs
// FOLDER-WITH-PACKAGES OUTPUT
import { createRequire } from 'node:module';
import path from 'node:path';

const [packages, output] = process.argv.slice(2);
const webpack = createRequire(path.join(packages, 'package.json'))('webpack');
const here = path.dirname(new URL(import.meta.url).pathname);
const config = (mode) => ({
  mode, name: mode, context: here, entry: './webpack_app.js', devtool: mode === 'development' ? 'eval' : false,
  output: { path: path.join(output, `webpack-${mode}`), filename: '[name].js', chunkFilename: '[name]-[contenthash].js', publicPath: 'auto' },
  experiments: { css: true },
  module: { rules: [{ test: /\.svg$/, type: 'asset/resource' }] },
  optimization: { runtimeChunk: 'single', splitChunks: { chunks: 'async', minSize: 0 } },
  performance: false,
});
webpack([config('production'), config('development')], (error, stats) => {
  if (error || stats.hasErrors()) {
    console.error(error || stats.toString('errors-only'));
    process.exit(1);
  }
});
