import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProviderAddresses } from '../../gateway/accounts/providers/redirecting.ts'
import type { Clock } from '../../gateway/base/clock.ts'
import { createGateway, type Gateway } from '../../gateway/composition/create-gateway.ts'
import { readConfig } from '../../gateway/config.ts'
import { headlessSecrets } from '../../gateway/secrets.ts'
import type { LookForAddresses } from '../../gateway/share/interfaces.ts'
import { freePortAfter } from '../../main/free-port.ts'
import { setupPath } from '../support/client.ts'
import { quickArgon2 } from '../support/quick-argon2.ts'
import { layTables } from '../support/tables.ts'

/** The administrator of a gateway that is set up. */
export const ROOT = { username: 'root', password: 'a-long-password' } as const

/** A real gateway with its own folder that serves the built console; `stop` removes everything. */
export type ServedConsole = Readonly<{
  url: string
  setupLink: string | null
  inner: Gateway['inner']
  stop: () => Promise<void>
}>

/** Replacements for external servers, and process settings. */
export type StandIns = Readonly<{
  clock?: Clock
  verifyUrl?: string
  providers?: ProviderAddresses
  machine?: LookForAddresses
}> &
  Readonly<{
    environment?: NodeJS.ProcessEnv
    /** An empty folder of the test, in place of one that is removed with the gateway. */
    folder?: string
  }>

/** Starts a gateway that is not set up, on a free loopback port and without limits per address. */
export async function freshGateway({ environment, folder: own, ...standIns }: StandIns = {}): Promise<ServedConsole> {
  const folder = own ?? (await mkdtemp(join(tmpdir(), 'switchyard-e2e-')))
  await layTables(folder)
  const known = freePorts.pop()
  // Another process may have been given this port by now.
  const port = known ? String(await freePortAfter(Number(known) - 1, '127.0.0.1')) : '0'
  const config = readConfig(
    {
      ...quiet,
      SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64'),
      ...environment,
      PORT: port,
      DATA_DIR: folder,
    },
    [],
  )
  const consoleFolder = process.env.CONSOLE_FOLDER ?? join(import.meta.dirname, '../../out/renderer')
  const gateway = await createGateway({
    config,
    secrets: headlessSecrets(config),
    consoleFolder,
    argon2: quickArgon2,
    checkAnswers: true,
    ...standIns,
  })
  const stop = async () => {
    await gateway.stop()
    freePorts.push(new URL(gateway.url).port)
    if (!own) await rm(folder, { recursive: true, force: true })
  }
  return { url: gateway.url, setupLink: gateway.setupLink, inner: gateway.inner, stop }
}

/** Starts a gateway whose root account is `ROOT`. */
export async function readyGateway(standIns: StandIns = {}): Promise<ServedConsole> {
  const gateway = await freshGateway(standIns)
  const { username, password } = ROOT
  const response = await fetch(gateway.url + setupPath(gateway.setupLink), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, confirmPassword: password }),
  })
  const answer = await response.json()
  if (!answer.success) throw new Error(`the setup was refused: ${answer.message}`)
  return gateway
}

/** Ports of stopped gateways, reused because the browser has cached the console for that origin. */
const freePorts: string[] = []

const quiet = {
  LOG_LEVEL: 'silent',
  GLOBAL_API_RATE_LIMIT: '0',
  GLOBAL_WEB_RATE_LIMIT: '0',
  CRITICAL_RATE_LIMIT: '0',
}
