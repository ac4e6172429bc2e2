import { shared } from './webpack_shared.js';
import './webpack_part.css';

export const part = () => `${shared('part')} ${typeof __webpack_public_path__}`;
