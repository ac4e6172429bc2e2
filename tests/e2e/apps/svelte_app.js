import { mount } from 'svelte';
import App from './svelte_app.svelte';

mount(App, { target: document.getElementById('app') });
