import { timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { randomSecret, sha256 } from '../base/ids.ts'
import type { Logger } from '../base/log/logger.ts'
import { forgetWay, readWay, writeWay } from './control-file.ts'

/** Where the command line comes in. */
interface ControlSocket {
  close(): Promise<void>
}

type ControlDeps = Readonly<{
  /** The data folder, which this process alone has. */
  folder: string
  /** Answers who has shown the secret; they may do what root may. */
  handler: RequestListener
  log: Logger
}>

/** The header that has the secret. */
export const CONTROL_HEADER = 'x-switchyard-control'
/** What a socket's path may have, by the system. */
const MAX_PATH_BYTES = 103
const SOCKET = 'control.sock'
/** Folders of sockets whose own data folder has too long a path, in the system's folder for what does not last. */
const SHORT = 'switchyard-control-'

/**
 * A door for whoever may read the data folder's own files, and for nobody else: a socket in that folder, open to its owner
 * alone, and a secret that is made again at each start. It has no port, so no page of a browser, no proxy and no other machine
 * comes near it, and being on this machine opens nothing (docs/decisions/2026-11-21-no-privilege-for-loopback.md). Where the
 * folder's path is too long for a socket, that lies in a folder of its own elsewhere, which the secret's file names. Where it
 * cannot be opened, the gateway runs without.
 */
export async function openControl({ folder, handler, log }: ControlDeps): Promise<ControlSocket> {
  const secret = randomSecret()
  const isPipe = process.platform === 'win32'
  let socket = isPipe ? `\\\\.\\pipe\\switchyard-${randomSecret()}` : join(folder, SOCKET)
  const clear = () => {
    const former = readWay(folder)?.socket
    forgetWay(folder)
    for (const path of isPipe ? [] : [former, socket]) if (path !== undefined) removeSocket(path, folder)
  }
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (isShown(request, secret)) return handler(request, response)
    response.writeHead(401, { connection: 'close' }).end()
  })
  server.on('error', (error) => log.error('a command could not be taken', { error }))
  const close = async () => {
    const quiet = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await quiet
    try {
      clear()
    } catch (error) {
      log.warn('the way for the command line could not be taken away', { error })
    }
  }
  try {
    clear()
    if (!isPipe && Buffer.byteLength(socket) > MAX_PATH_BYTES) socket = join(mkdtempSync(join(tmpdir(), SHORT)), SOCKET)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve))
    if (!isPipe) chmodSync(socket, 0o600)
    writeWay(folder, { pid: process.pid, socket, secret })
  } catch (error) {
    log.warn('the command line cannot reach this gateway', { error })
    await close()
  }
  return { close }
}

/** Takes away a socket of ours: that of the data folder, or one in a short place with the folder made for it. */
function removeSocket(path: string, folder: string): void {
  if (path === join(folder, SOCKET)) rmSync(path, { force: true })
  else if (basename(dirname(path)).startsWith(SHORT)) rmSync(dirname(path), { recursive: true, force: true })
}

/** Hashed, so that both have one length. */
function isShown({ headers }: IncomingMessage, secret: string): boolean {
  const shown = headers[CONTROL_HEADER]
  return typeof shown === 'string' && timingSafeEqual(Buffer.from(sha256(shown)), Buffer.from(sha256(secret)))
}
