import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

type Task = Readonly<{ password: string; hash: string; filling: readonly string[] }>

const ROLE = 'bcrypt'
/** A hash defines its own cost, so the time on a thread is limited. */
const MAX_MS = 10_000

/**
 * Checks a password against a bcrypt hash on a separate thread, because in JavaScript it takes some 80 ms. The thread
 * runs this file, so import this module only dynamically. Returns false for an invalid hash and for one that takes too
 * long. Also computes the hashes in `filling`, only to take up time.
 */
export async function matchesBcrypt(password: string, hash: string, filling: readonly string[] = []): Promise<boolean> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, password, hash, filling },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  })
  const limit = setTimeout(() => void worker.terminate(), MAX_MS)
  try {
    return await new Promise<boolean>((resolve) => {
      worker.once('message', (matches: unknown) => resolve(matches === true))
      worker.once('error', () => resolve(false))
      worker.once('exit', () => resolve(false))
    })
  } finally {
    clearTimeout(limit)
    void worker.terminate()
  }
}

function serve(port: MessagePort, { password, hash, filling }: Task): void {
  const [matches] = [hash, ...filling].map((one) => compareSync(password, one))
  port.postMessage(matches)
}

// `workerData` is untyped; only `matchesBcrypt` sets this role.
const task = workerData as (Task & { role?: unknown }) | null
if (parentPort && task?.role === ROLE) serve(parentPort, task)
