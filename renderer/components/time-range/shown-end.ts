const HOUR_S = 3600

/** The end that a range is shown with where it has none: an hour from now, in unix seconds. */
export const shownEnd = (): number => Math.floor(Date.now() / 1000) + HOUR_S
