import { ChangeDetectorRef, Component, inject } from '@angular/core';
import { ActivatedRoute } from '@angular/router';

@Component({ selector: 'app-item', template: `<h1>item {{ id }} {{ words }}</h1>` })
export class Item {
  id = inject(ActivatedRoute).snapshot.paramMap.get('id');
  words = '';
  constructor() {
    const changes = inject(ChangeDetectorRef);
    fetch('/words.json').then((r) => r.json()).then((words) => { this.words = words.join(' '); changes.markForCheck(); });
  }
}
