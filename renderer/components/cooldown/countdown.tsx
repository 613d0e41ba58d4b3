import { useSyncExternalStore } from 'react'

/** A live countdown (mm:ss) to a time in unix milliseconds; stops at 00:00. */
export function Countdown({ until }: { until: number }) {
  const seconds = useEachSecond(() => Math.max(0, Math.ceil((until - Date.now()) / 1000)))
  return (
    <span className="tabular" role="timer">
      {formatCountdown(seconds)}
    </span>
  )
}

export const useEachSecond = <T extends string | number | undefined>(read: () => T): T =>
  useSyncExternalStore(onTick, read)

/** Seconds as mm:ss; an hour is 60:00. */
const formatCountdown = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

/** One interval for all countdowns; stopped while there are none. */
const listeners = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined

function onTick(listener: () => void): () => void {
  listeners.add(listener)
  clock ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(clock)
    clock = undefined
  }
}

function tick(): void {
  for (const listener of listeners) listener()
}
