export const shared = (who) => `${who} at ${location.pathname} of ${location.host.split('.')[0]}`;
