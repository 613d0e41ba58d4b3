import { POLL_HEADER } from '../../shared/api/poll.ts'
import { status } from '../../shared/api/status.ts'
import { parsed } from '../../shared/json.ts'
import { notePoll, polls } from './polls.ts'
import { createSharedValue } from './shared-value.ts'

/** The gateway does not answer: whether it is being asked right now, else when it will be, in unix milliseconds. */
export type Outage = Readonly<{ isTrying: boolean; nextTryAt: number }>

/** That the gateway does not answer, as long as it does not (docs/reference/screens.md#calls-and-failures). */
export const useOutage = (): Outage | undefined => outage.use()

/** Told that the gateway is back after an outage, and what its public status says each time it was asked. */
type ConnectionEvents = Readonly<{ onBack: () => void; onStatus: (answer: unknown) => void }>

/** Asks the gateway now and then whether it is there while somebody looks at the page. */
export function watchConnection({ onBack, onStatus }: ConnectionEvents): void {
  notifyBack = onBack
  notifyStatus = onStatus
  const look = () => {
    if (document.hidden || outage.get() || !polls.isOpen()) return
    notePoll()
    void tryNow()
  }
  setInterval(look, beatMs)
  document.addEventListener('visibilitychange', look)
}

/** Notes what became of a call: without an answer, or with one of a proxy that got none, the gateway is asked itself. */
export function noteAnswer(status: number | undefined): void {
  if (isAnswer(status)) endOutage()
  else if (!outage.get()) void tryNow()
}

/** Asks the gateway at once, whenever the next try would have been. */
export async function tryNow(): Promise<void> {
  if (isTrying) return
  isTrying = true
  clearTimeout(timer)
  if (outage.get()) outage.set({ isTrying, nextTryAt: 0 })
  const answered = await ask()
  isTrying = false
  if (isAnswer(answered)) return endOutage()
  const waitMs = waitsMs[Math.min(failures, waitsMs.length - 1)] ?? 0
  failures += 1
  timer = setTimeout(() => void tryNow(), waitMs)
  outage.set({ isTrying, nextTryAt: Date.now() + waitMs })
}

/** The status of the answer, whatever it is; without the session, which looking must not prolong. */
async function ask(): Promise<number | undefined> {
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

/** 502 to 504 are said by a proxy before a gateway that is not there. */
const isAnswer = (status: number | undefined): boolean => status !== undefined && (status < 502 || status > 504)

const beatMs = 15_000
const timeoutMs = 10_000
/** From try to try; the last one goes on. */
const waitsMs = [2000, 4000, 8000, 15_000, 30_000]

const outage = createSharedValue<Outage | undefined>(undefined)
let isTrying = false
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let notifyBack: () => void = () => {}
let notifyStatus: (answer: unknown) => void = () => {}
