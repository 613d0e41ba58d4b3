/** Whether an address leads back to the machine of whoever opens it, so that it is none to give to others. */
export const isNearAddress = (url: string): boolean =>
  /^https?:\/\/(localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(:\d+)?(\/|$)/i.test(url)
