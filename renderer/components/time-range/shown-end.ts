const HOUR_S = 3600

/** Displayed end of an open range: an hour from now, in unix seconds. */
export const shownEnd = (now = new Date()): number => Math.floor(now.getTime() / 1000) + HOUR_S
