import { timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { randomSecret, sha256 } from '../base/ids.ts'
import type { Logger } from '../base/log/logger.ts'
import { readControlFile, removeControlFile, writeControlFile } from './control-file.ts'

interface ControlSocket {
  close(): Promise<void>
}

type ControlDeps = Readonly<{
  /** The data folder, locked by this process. */
  folder: string
  /** Handles requests that present the secret; they have root's permissions. */
  handler: RequestListener
  log: Logger
}>

export const CONTROL_HEADER = 'x-switchyard-control'
/** The system's limit on the length of a socket's path, in bytes. */
const MAX_PATH_BYTES = 103
const SOCKET = 'control.sock'
/** Prefix of socket folders in the system's temporary folder, for data folders whose path is too long. */
const SHORT = 'switchyard-control-'

/**
 * Accepts commands only from a user who can read the data folder's own files: a socket in that folder, accessible only
 * to its owner, and a secret generated at each start. It has no port, so browsers, proxies and other machines cannot
 * connect, and being on this machine grants nothing (docs/decisions/2026-11-21-no-privilege-for-loopback.md). If the
 * folder's path is too long for a socket, the socket is in a separate folder elsewhere, which the secret's file names.
 * If the socket cannot be opened, the gateway runs without it.
 */
export async function openControl({ folder, handler, log }: ControlDeps): Promise<ControlSocket> {
  const secret = randomSecret()
  const isPipe = process.platform === 'win32'
  let socket = isPipe ? `\\\\.\\pipe\\switchyard-${randomSecret()}` : join(folder, SOCKET)
  const clear = () => {
    const former = readControlFile(folder)?.socket
    removeControlFile(folder)
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
    writeControlFile(folder, { pid: process.pid, socket, secret })
  } catch (error) {
    log.warn('the command line cannot reach this gateway', { error })
    await close()
  }
  return { close }
}

/** Deletes our socket: that of the data folder, or one in a temporary folder, together with that folder. */
function removeSocket(path: string, folder: string): void {
  if (path === join(folder, SOCKET)) rmSync(path, { force: true })
  else if (basename(dirname(path)).startsWith(SHORT)) rmSync(dirname(path), { recursive: true, force: true })
}

/** Compares hashes, which have the same length. */
function isShown({ headers }: IncomingMessage, secret: string): boolean {
  const shown = headers[CONTROL_HEADER]
  return typeof shown === 'string' && timingSafeEqual(Buffer.from(sha256(shown)), Buffer.from(sha256(secret)))
}
