import { shared } from './webpack_shared.js';

onmessage = async (e) => {
  const { times } = await import('./webpack_times.js');
  postMessage(`worker ${times(e.data)} ${shared('it').replace(/[\w-]+\.js/, 'file')}`);
};
