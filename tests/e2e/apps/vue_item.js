import { ref } from 'vue';

export default {
  setup() {
    const words = ref('');
    fetch('/words.json').then((answer) => answer.json()).then((all) => { words.value = all.join(' '); });
    return { words };
  },
  template: '<h1>item {{ $route.params.id }} {{ words }}</h1>',
};
