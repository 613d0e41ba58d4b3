import type { Run, RunItem } from '../../../../shared/api/channel-runs.ts'

export const isGoing = ({ state }: Run): boolean => state === 'running' || state === 'cancelling'

/** Identifies a run among those since the gateway's start. */
export const keyOf = ({ kind, started_at: at }: Run): string => `${kind} ${at}`

/** How long a run is recent after its end, in seconds. */
export const recentSeconds = 3600

/** Whether a run deserves a card: it is active or recent. `now` is in unix seconds. */
export const isRecent = (run: Run, now: number): boolean => isGoing(run) || now - run.ended_at < recentSeconds

export type RunCounts = Readonly<Record<'worked' | 'failed' | 'off' | 'on', number>>

export const countsOf = ({ items }: Run): RunCounts => ({
  worked: items.filter(({ ok }) => ok).length,
  failed: items.filter(({ ok }) => !ok).length,
  off: items.filter(({ switched }) => switched === 'off').length,
  on: items.filter(({ switched }) => switched === 'on').length,
})

/** The channels to list individually, in order of completion: those that failed or were switched. */
export const noteworthyOf = ({ items }: Run): readonly RunItem[] =>
  items.filter(({ ok, switched }) => !ok || switched !== '')
