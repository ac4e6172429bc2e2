import icon from './webpack_icon.svg';
import { shared } from './webpack_shared.js';

const app = document.getElementById('app');
const show = (text) => { const line = document.createElement('p'); line.textContent = text; app.append(line); };
const image = new Image();
image.onload = () => show(`picture ${image.naturalWidth} ${new URL(image.src).pathname.replace(/[0-9a-f]{12,}/, 'digest')}`);
image.src = icon;
show(shared('app'));
const button = document.createElement('button');
button.id = 'more';
button.textContent = 'more';
button.onclick = async () => {
  const { part } = await import(/* webpackChunkName: "part", webpackPrefetch: true */ './webpack_part.js');
  show(part());
  const worker = new Worker(new URL('./webpack_worker.js', import.meta.url));
  worker.onmessage = (e) => show(e.data);
  worker.postMessage(6);
};
app.append(button);
