export default {
  title: 'Caddis', base: '/vitepress/', appearance: true, cleanUrls: false, lastUpdated: false,
  themeConfig: {
    nav: [{ text: 'Houses', link: '/houses' }],
    sidebar: [{ text: 'All', items: [{ text: 'Larvae', link: '/' }, { text: 'Houses', link: '/houses' }] }],
    search: { provider: 'local' },
  },
};
