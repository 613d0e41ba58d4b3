type DailyDeps = Readonly<{
  isOn: () => boolean
  /** Unix seconds of the last check; 0 for never. */
  last: () => number
  storeLast: (seconds: number) => void
  nowSeconds: () => number
  check: () => Promise<unknown>
}>

const DAY_SECONDS = 86_400
const LOOK_EVERY_MS = 600_000

/**
 * Checks for updates once a day if the user has enabled it. Looks every ten minutes whether a check is due, so that
 * sleep does not delay it by a day; returns a function that looks at once.
 */
export function startDailyCheck({ isOn, last, storeLast, nowSeconds, check }: DailyDeps): () => Promise<void> {
  const look = async () => {
    const now = nowSeconds()
    // A last check in the future is ignored: the clock was wrong.
    const isDue = now - last() >= DAY_SECONDS || last() > now
    if (!isOn() || !isDue) return
    storeLast(now)
    await check()
  }
  setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return look
}
