import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

type Ask = Readonly<{ password: string; hash: string; filling: readonly string[] }>

const ROLE = 'bcrypt'
/** A hash whose cost is read into it from elsewhere must not keep a thread for long. */
const MAX_MS = 10_000

/**
 * Whether a password is the one of a bcrypt hash, worked out on a thread of its own: in JavaScript it takes some 80 ms. It
 * runs this very file, so this module must be imported dynamically only. False for what is no hash, and for one that takes
 * too long. What `filling` names is worked out as well, for the time it takes.
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

function serve(port: MessagePort, { password, hash, filling }: Ask): void {
  const [matches] = [hash, ...filling].map((one) => compareSync(password, one))
  port.postMessage(matches)
}

// What a thread was started with is unknown to the compiler; only `matchesBcrypt` sets this role.
const task = workerData as (Ask & { role?: unknown }) | null
if (parentPort && task?.role === ROLE) serve(parentPort, task)
