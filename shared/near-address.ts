/** Whether an address leads to the machine that opens it, so that it is useless on other machines. */
export const isNearAddress = (url: string): boolean =>
  /^https?:\/\/(localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(:\d+)?(\/|$)/i.test(url)
