import { ask, type PreparedAsk } from './ask.ts'
import { type Address, type Connection, openConnection } from './connection.ts'
import { monotonicMs } from './monotonic.ts'
import type { Tally } from './tally.ts'

/** Options of a loop: target, requests to rotate through, tally. Times in seconds. */
interface Loop {
  address: Address
  asks: PreparedAsk[]
  tally: Tally
  warmSeconds: number
  seconds: number
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Closed loop: each of `connections` sends the next request as soon as it has its response. The first requests are
 * spread over `spreadMs`. Requests in flight at the end are awaited, but not measured.
 */
export async function closedLoop({ connections, spreadMs, ...loop }: Loop & { connections: number; spreadMs: number }) {
  const { tally, asks } = loop
  let isOver = false
  let turn = 0
  const worker = async (index: number) => {
    const connection = openConnection(loop.address)
    await pause((index * spreadMs) / connections)
    await new Promise<void>((resolve) => {
      const next = () => {
        const asked = asks[turn++ % asks.length]
        if (isOver || !asked) resolve()
        else ask(connection, asked, tally, monotonicMs(), next)
      }
      next()
    })
    connection.hangUp()
  }
  const workers = Array.from({ length: connections }, (_, index) => worker(index))
  await measure(loop)
  isOver = true
  await Promise.all(workers)
}

/**
 * How late a Node timer may fire: a request sent within this time is measured from its sending, a later one from when
 * it was due.
 */
const timerGrainMs = 2

/**
 * Open loop: `rate` requests a second whether or not earlier ones have finished, each on an idle or a new connection.
 */
export async function openLoop({ rate, ...loop }: Loop & { rate: number }) {
  const { tally, asks } = loop
  const idle: Connection[] = []
  let inFlight = 0
  let turn = 0
  const send = (dueMs: number, nowMs: number) => {
    const asked = asks[turn++ % asks.length]
    if (!asked) return
    const connection = idle.pop() ?? openConnection(loop.address)
    const isLate = nowMs - dueMs >= timerGrainMs
    if (isLate) tally.window.lateSends += 1
    inFlight += 1
    ask(connection, asked, tally, isLate ? dueMs : nowMs, () => {
      inFlight -= 1
      idle.push(connection)
    })
  }
  let dueMs = monotonicMs()
  const timer = setInterval(() => {
    for (const nowMs = monotonicMs(); dueMs <= nowMs; dueMs += 1000 / rate) send(dueMs, nowMs)
  }, 1)
  await measure(loop)
  clearInterval(timer)
  while (inFlight > 0) await pause(10)
  for (const connection of idle) connection.hangUp()
}

/** Holds `connections` streams open at once: opens them over one second, then waits until the last has ended. */
export async function holdOpen({ connections, ...loop }: Loop & { connections: number }) {
  const { tally, asks } = loop
  await pause(loop.warmSeconds * 1000)
  tally.beginWindow()
  const holder = async (index: number) => {
    const asked = asks[index % asks.length]
    if (!asked) return
    await pause((index * 1000) / connections)
    const connection = openConnection(loop.address)
    await new Promise<void>((resolve) => ask(connection, asked, tally, monotonicMs(), resolve))
    connection.hangUp()
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => holder(index)))
  tally.endWindow()
}

/** Opens the measured window after the warm-up and closes it on time, even with requests in flight. */
async function measure({ tally, warmSeconds, seconds }: Loop) {
  await pause(warmSeconds * 1000)
  tally.beginWindow()
  await pause(seconds * 1000)
  tally.endWindow()
}
