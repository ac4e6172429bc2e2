import 'zone.js';
// The libraries are compiled where they run: the compiler is there before them.
import '@angular/compiler';

import('./angular_main');
