import { createApp } from 'vue';
import { createRouter, createWebHistory } from 'vue-router';

const Home = { template: '<h1>home</h1><router-link id="to-item" to="/item/7?x=1#h">item</router-link><button id="push" @click="$router.push(\'/item/8\')">go</button>' };
const router = createRouter({
  history: createWebHistory('/vue/'),
  routes: [
    { path: '/', component: Home },
    { path: '/item/:id', component: () => import('./vue_item.js') },
    { path: '/:rest(.*)', component: { template: '<h1>no such route</h1>' } },
  ],
});
createApp({
  data: () => ({ location: 'of mine', top: 1 }),
  computed: { at: () => window.location.pathname + window.location.search },
  template: `<p id="where">{{ $route.fullPath }} at {{ place() }} {{ location }} {{ top }}</p><router-view /><button id="back" @click="back">back</button>`,
  methods: { back: () => history.back(), place() { return this.$route && window.location.pathname + window.location.search; } },
}).use(router).mount('#app');
