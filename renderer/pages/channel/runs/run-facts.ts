import type { Run, RunItem } from '../../../../shared/api/channel-runs.ts'

/** Whether a run goes on: also while it only waits for what was under way when it was cancelled. */
export const isGoing = ({ state }: Run): boolean => state === 'running' || state === 'cancelling'

/** What tells a run from all others since the start of the gateway. */
export const keyOf = ({ kind, started_at: at }: Run): string => `${kind} ${at}`

/** Seconds after its end in which a run is shown as recent to somebody who comes to the page. */
export const recentSeconds = 3600

/** Whether a run is worth a card: it goes on, or has ended lately. `now` is in unix seconds. */
export const isRecent = (run: Run, now: number): boolean => isGoing(run) || now - run.ended_at < recentSeconds

/** What came of a run so far. */
export type RunCounts = Readonly<Record<'worked' | 'failed' | 'off' | 'on', number>>

/** Counts the channels that are through. */
export const countsOf = ({ items }: Run): RunCounts => ({
  worked: items.filter(({ ok }) => ok).length,
  failed: items.filter(({ ok }) => !ok).length,
  off: items.filter(({ switched }) => switched === 'off').length,
  on: items.filter(({ switched }) => switched === 'on').length,
})

/** The channels to be told one by one, as they come: those that failed and those that were switched. */
export const noteworthyOf = ({ items }: Run): readonly RunItem[] =>
  items.filter(({ ok, switched }) => !ok || switched !== '')
