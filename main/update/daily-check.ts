/** A check that comes by itself, where the person has asked for it. */
type DailyDeps = Readonly<{
  isOn: () => boolean
  /** When the last one was, in unix seconds; 0 for never. */
  last: () => number
  keepLast: (seconds: number) => void
  nowSeconds: () => number
  check: () => Promise<unknown>
}>

const DAY_SECONDS = 86_400
const LOOK_EVERY_MS = 600_000

/** Looks at the clock every ten minutes, so that a computer that slept is not late by a day; answers the look itself. */
export function startDailyCheck({ isOn, last, keepLast, nowSeconds, check }: DailyDeps): () => Promise<void> {
  const look = async () => {
    const now = nowSeconds()
    // A clock that was ahead says nothing.
    const isDue = now - last() >= DAY_SECONDS || last() > now
    if (!isOn() || !isDue) return
    keepLast(now)
    await check()
  }
  setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return look
}
