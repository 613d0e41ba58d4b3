import { type IncomingMessage, request } from 'node:http'
import { silentLogger } from '../base/log/logger.ts'
import { createGateway } from '../composition/create-gateway.ts'
import { readWay } from '../control/control-file.ts'
import { CONTROL_HEADER } from '../control/control-socket.ts'
import { type CommandDeps, ENDS, failure } from './command.ts'
import { requireKey } from './data-key.ts'
import { isInUse, requireDatabase } from './in-folder.ts'

/** A gateway that a command talks to, as root unless it names an account. */
export interface Shell {
  /** `data` of a call of the API, and what stands beside it. Throws what it was refused with, as the gateway words it. */
  ask<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, more?: Asking): Promise<T & { data: unknown }>
  /** What a call of the API answers that sends a file. */
  file(path: string): Promise<AsyncIterable<Buffer>>
}

type Asking = Readonly<{ body?: object; asUser?: number | undefined; mayFail?: boolean }>

/**
 * Works with the gateway that has the folder; where none has, with one that this process makes of it, on no port, by the rules
 * of every other. Throws `CannotStart`: 3 where the folder is in use by what cannot be asked, 4 where it has no database or no data key.
 */
export async function withGateway<T>(deps: CommandDeps, work: (shell: Shell) => Promise<T>): Promise<T> {
  const folder = deps.config.DATA_DIR
  requireDatabase(folder)
  if (isInUse(folder)) return work(shellAt(folder))
  requireKey(deps)
  const systemProxy = deps.goOut()
  const gateway = await createGateway({ ...deps, systemProxy, log: silentLogger, isForShell: true })
  try {
    return await work(shellAt(folder))
  } finally {
    await gateway.stopNow()
  }
}

/** The gateway that has the folder. Throws `CannotStart` (3) where what has it takes no commands. */
export function shellAt(folder: string): Shell {
  const way = readWay(folder)
  if (!way)
    throw failure(
      `the data folder ${folder} is in use by a program that takes no commands, such as another command or an older release; stop it first`,
      ENDS.inUse,
    )
  const asked = (method: string, path: string, { body, asUser }: Asking = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        host: 'localhost',
        'accept-language': 'en',
        [CONTROL_HEADER]: way.secret,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(asUser === undefined ? {} : { 'new-api-user': String(asUser) }),
      }
      request({ socketPath: way.socket, method, path, headers }, resolve)
        .once('error', (cause) => reject(failure(`the gateway does not answer: ${cause.message}`)))
        .end(text)
    })
  return {
    async ask<T>(method: string, path: string, more: Asking = {}) {
      const answer = await asked(method, path, more)
      const envelope = await envelopeIn(answer)
      if (!envelope.success && !more.mayFail)
        throw failure(envelope.message || `the gateway answered ${answer.statusCode}`)
      return envelope as T & Envelope // the contract of the path says what stands beside `data`
    },
    async file(path) {
      const answer = await asked('GET', path)
      if (!answer.headers['content-disposition']) {
        const { success, message, data } = await envelopeIn(answer)
        if (!success) throw failure(message || `the gateway answered ${answer.statusCode}`)
        return oneOf(Buffer.from(`${JSON.stringify(data, undefined, 2)}\n`))
      }
      return answer
    },
  }
}

type Envelope = { success: boolean; message: string; data: unknown }

async function envelopeIn(answer: IncomingMessage): Promise<Envelope> {
  const parts: Buffer[] = []
  try {
    for await (const part of answer) parts.push(part)
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch (cause) {
    throw failure(`the gateway answered ${answer.statusCode}: ${cause instanceof Error ? cause.message : ''}`)
  }
}

async function* oneOf(part: Buffer): AsyncGenerator<Buffer, void> {
  yield part
}

/** The id of an account by its name; undefined for root. */
export async function accountOf(shell: Shell, name: string | undefined): Promise<number | undefined> {
  if (name === undefined) return undefined
  for (let page = 1; ; page += 1) {
    const { data } = await shell.ask<{ data: { items: { id: number; username: string }[] } }>(
      'GET',
      `/api/user/search?keyword=${encodeURIComponent(name)}&group=&p=${page}&page_size=${PAGE}`,
    )
    const found = data.items.find(({ username }) => username === name)
    if (found) return found.id
    if (data.items.length < PAGE) throw failure(`unknown user ${name}`)
  }
}

const PAGE = 100
