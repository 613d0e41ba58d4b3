import { POLL_HEADER } from '../../shared/api/poll.ts'
import { status } from '../../shared/api/status.ts'
import { parsed } from '../../shared/json.ts'
import { notePoll, polls } from './polls.ts'
import { createSharedValue } from './shared-value.ts'

/** The gateway does not respond: whether a retry is running, else the time of the next one in unix milliseconds. */
export type Outage = Readonly<{ isTrying: boolean; nextTryAt: number }>

/** The current outage, if any (docs/reference/screens.md#calls-and-failures). */
export const useOutage = (): Outage | undefined => outage.use()

/** `onBack` is called after an outage, `onStatus` with each public status that a check returns. */
type ConnectionEvents = Readonly<{ onBack: () => void; onStatus: (answer: unknown) => void }>

/** Checks periodically whether the gateway responds, while the page is visible. */
export function watchConnection({ onBack, onStatus }: ConnectionEvents): void {
  notifyBack = onBack
  notifyStatus = onStatus
  const look = () => {
    if (document.hidden || outage.get() || !polls.isOpen()) return
    notePoll()
    void tryNow()
  }
  setInterval(look, checkIntervalMs)
  document.addEventListener('visibilitychange', look)
}

/**
 * Records the outcome of a call: without a response, or with a proxy's gateway error, the gateway is checked
 * directly.
 */
export function noteAnswer(status: number | undefined): void {
  if (isAnswer(status)) endOutage()
  else if (!outage.get()) void tryNow()
}

export async function tryNow(): Promise<void> {
  if (isTrying) return
  isTrying = true
  clearTimeout(timer)
  if (outage.get()) outage.set({ isTrying, nextTryAt: 0 })
  const answered = await check()
  isTrying = false
  if (isAnswer(answered)) return endOutage()
  const waitMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? 0
  failures += 1
  timer = setTimeout(() => void tryNow(), waitMs)
  outage.set({ isTrying, nextTryAt: Date.now() + waitMs })
}

/**
 * Reads the public status; returns the response's HTTP status, or undefined without a response. The request is sent
 * without the session, which a check must not extend.
 */
async function check(): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { [POLL_HEADER]: '1' }
    const response = await fetch(status.read.path, { credentials: 'omit', cache: 'no-store', headers, signal })
    if (response.ok) notifyStatus(parsed(await response.text()))
    return response.status
  } catch {
    return undefined
  }
}

function endOutage(): void {
  clearTimeout(timer)
  failures = 0
  if (!outage.get()) return
  outage.set(undefined)
  notifyBack()
}

/** Whether a status is the gateway's response: proxies send 502 to 504 when the gateway is unreachable. */
const isAnswer = (status: number | undefined): boolean => status !== undefined && (status < 502 || status > 504)

const checkIntervalMs = 15_000
const timeoutMs = 10_000
/** Delays between retries; the last one repeats. */
const retryDelaysMs = [2000, 4000, 8000, 15_000, 30_000]

const outage = createSharedValue<Outage | undefined>(undefined)
let isTrying = false
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let notifyBack: () => void = () => {}
let notifyStatus: (answer: unknown) => void = () => {}
