import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Argon2, Argon2Settings } from './passwords.ts'
import { stepBack } from './thread-priority.ts'

type Work = Readonly<{ password: string; settings: Argon2Settings }> | Readonly<{ password: string; stored: string }>
type Reply = Readonly<{ result: string | boolean }> | Readonly<{ failed: string }>

interface Thread {
  /** Rejects if the work fails or the thread dies before it replies. Runs one piece of work at a time. */
  run(work: Work): Promise<string | boolean>
  isAlive(): boolean
}

/** Identifies the thread's purpose; this module is loaded on both sides. */
const ROLE = 'argon2'
const MEGABYTES = 32
/** A lower priority than that of the relay's thread: logins may wait for requests, but not requests for logins. */
const NICENESS = 5

/**
 * Hashes and checks passwords on separate threads, one per concurrent call, whose number the caller has to bound. A
 * thread idle for `quietMs` ends. The threads run this file, so import this module only dynamically.
 */
export function createArgon2(quietMs = 60_000): Argon2 {
  /** Idle threads, some of which may have ended. */
  const idle: Thread[] = []
  const inThread = async (work: Work) => {
    let thread = idle.pop()
    while (thread && !thread.isAlive()) thread = idle.pop()
    thread ??= startThread(quietMs)
    try {
      return await thread.run(work)
    } finally {
      idle.push(thread)
    }
  }
  return {
    hash: async (password, settings) => String(await inThread({ password, settings })),
    verify: async (stored, password) => (await inThread({ password, stored })) === true,
  }
}

/** Starts a thread that keeps the process alive only while it works. */
function startThread(quietMs: number): Thread {
  let pending: PromiseWithResolvers<string | boolean> | undefined
  let alive = true
  let idleTimer: NodeJS.Timeout | undefined
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  worker.unref()
  const lose = (cause: unknown) => {
    alive = false
    clearTimeout(idleTimer)
    pending?.reject(cause)
    pending = undefined
  }
  const end = () => {
    lose(new Error('the hashing thread was ended'))
    void worker.terminate()
  }
  worker.on('message', (reply: Reply) => {
    worker.unref()
    idleTimer = setTimeout(end, quietMs).unref()
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject(new Error(reply.failed))
    pending = undefined
  })
  worker.on('error', lose)
  worker.on('exit', (code) => lose(new Error(`the hashing thread ended with code ${code}`)))
  return {
    run(work) {
      clearTimeout(idleTimer)
      pending = Promise.withResolvers()
      worker.ref()
      worker.postMessage(work)
      return pending.promise
    },
    isAlive: () => alive,
  }
}

function serve(port: MessagePort): void {
  stepBack(NICENESS)
  port.on('message', (work: Work) => port.postMessage(answer(work)))
}

function answer(work: Work): Reply {
  try {
    const { password } = work
    return { result: 'stored' in work ? verifySync(work.stored, password) : hashSync(password, work.settings) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

// `workerData` is untyped; only `startThread` sets this role.
const task = workerData as { role?: unknown } | null
if (parentPort && task?.role === ROLE) serve(parentPort)
