import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { Argon2, Argon2Settings } from './passwords.ts'
import { stepBack } from './thread-priority.ts'

type Work = Readonly<{ password: string; settings: Argon2Settings }> | Readonly<{ password: string; stored: string }>
type Reply = Readonly<{ result: string | boolean }> | Readonly<{ failed: string }>

/** A thread that does one work at a time. */
interface Thread {
  /** Rejects when the work fails, and when the thread dies before it answers. */
  ask(work: Work): Promise<string | boolean>
  isAlive(): boolean
}

/** Says to a new thread what it is for: this module is loaded on both sides. */
const ROLE = 'argon2'
const MEGABYTES = 32
/** Well below the thread that relays: a login may wait for requests, no request for a login. */
const NICENESS = 5

/**
 * Hashes and checks passwords on threads of their own, as many as are asked for at once, which is for the caller to bound; one
 * without work for `quietMs` ends. They run this very file, so this module must be imported dynamically only.
 */
export function createArgon2(quietMs = 60_000): Argon2 {
  /** Without work, and some that have ended. */
  const idle: Thread[] = []
  const inThread = async (work: Work) => {
    let thread = idle.pop()
    while (thread && !thread.isAlive()) thread = idle.pop()
    thread ??= startThread(quietMs)
    try {
      return await thread.ask(work)
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
  let quiet: NodeJS.Timeout | undefined
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  worker.unref()
  const lose = (cause: unknown) => {
    alive = false
    clearTimeout(quiet)
    pending?.reject(cause)
    pending = undefined
  }
  const end = () => {
    lose(new Error('the hashing thread was ended'))
    void worker.terminate()
  }
  worker.on('message', (reply: Reply) => {
    worker.unref()
    quiet = setTimeout(end, quietMs).unref()
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject(new Error(reply.failed))
    pending = undefined
  })
  worker.on('error', lose)
  worker.on('exit', (code) => lose(new Error(`the hashing thread ended with code ${code}`)))
  return {
    ask(work) {
      clearTimeout(quiet)
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

// What a thread was started with is unknown to the compiler; only `startThread` sets this role.
const task = workerData as { role?: unknown } | null
if (parentPort && task?.role === ROLE) serve(parentPort)
