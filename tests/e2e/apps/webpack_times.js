export const times = (n) => n * 7;
