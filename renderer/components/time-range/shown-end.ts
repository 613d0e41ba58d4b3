const HOUR_S = 3600

/** The end that a range is shown with where it has none: an hour from now, in unix seconds. */
export const shownEnd = (now = new Date()): number => Math.floor(now.getTime() / 1000) + HOUR_S
