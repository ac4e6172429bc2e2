import { Component, inject } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter, Router, RouterLink, RouterOutlet } from '@angular/router';

@Component({
  selector: 'app-home',
  imports: [RouterLink],
  template: `<h1>home</h1><a id="to-item" routerLink="/item/7" [queryParams]="{x: 1}" fragment="h">item</a><button id="push" (click)="go()">go</button>`,
})
class Home {
  router = inject(Router);
  go() { this.router.navigateByUrl('/item/8'); }
}

@Component({ selector: 'app-none', template: `<h1>no such route</h1>` })
class None {}

@Component({
  selector: 'app-root',
  imports: [RouterOutlet],
  template: `<p id="where">{{ router.url }} at {{ place() }} {{ location }} {{ top }}</p><router-outlet /><button id="back" (click)="back()">back</button>`,
})
class App {
  router = inject(Router);
  location = 'of mine';
  top = 1;
  place() { return window.location.pathname + window.location.search; }
  back() { history.back(); }
}

bootstrapApplication(App, {
  providers: [provideRouter([
    { path: '', component: Home },
    { path: 'item/:id', loadComponent: () => import('./angular_item').then((m) => m.Item) },
    { path: '**', component: None },
  ])],
});
