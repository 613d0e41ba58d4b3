import { type IncomingMessage, request } from 'node:http'
import { silentLogger } from '../base/log/logger.ts'
import { createGateway } from '../composition/create-gateway.ts'
import { readControlFile } from '../control/control-file.ts'
import { CONTROL_HEADER } from '../control/control-socket.ts'
import { type CommandDeps, ENDS, failure } from './command.ts'
import { requireKey } from './data-key.ts'
import { isInUse, requireDatabase } from './in-folder.ts'

/** A gateway that a command uses, as root unless it names an account. */
export interface Shell {
  /**
   * The envelope of an API call: `data` and the fields next to it. Unless `mayFail`, throws refusals with the gateway's
   * message.
   */
  request<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    more?: CallOptions,
  ): Promise<T & { data: unknown }>
  /** The file that an API call sends; if it sends no file, its `data` as JSON text. */
  file(path: string): Promise<AsyncIterable<Buffer>>
}

type CallOptions = Readonly<{ body?: object; asUser?: number | undefined; mayFail?: boolean }>

/**
 * Uses the running gateway of the folder; without one, starts one in this process, without a port. Throws
 * `CannotStart`: 3 if the folder is in use by a process that takes no commands, 4 if it has no database or no data key.
 */
export async function withGateway<T>(deps: CommandDeps, work: (shell: Shell) => Promise<T>): Promise<T> {
  const folder = deps.config.DATA_DIR
  requireDatabase(deps.config)
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

/** The running gateway of the folder. Throws `CannotStart` (3) if the process using it takes no commands. */
export function shellAt(folder: string): Shell {
  const connection = readControlFile(folder)
  if (!connection)
    throw failure(
      `the data folder ${folder} is in use by a program that takes no commands, such as another command or an older release; stop it first`,
      ENDS.inUse,
    )
  const send = (method: string, path: string, { body, asUser }: CallOptions = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        host: 'localhost',
        'accept-language': 'en',
        [CONTROL_HEADER]: connection.secret,
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...(asUser === undefined ? {} : { 'new-api-user': String(asUser) }),
      }
      request({ socketPath: connection.socket, method, path, headers }, resolve)
        .once('error', (cause) => reject(failure(`the gateway does not answer: ${cause.message}`)))
        .end(text)
    })
  return {
    async request<T>(method: string, path: string, more: CallOptions = {}) {
      const answer = await send(method, path, more)
      const envelope = await envelopeIn(answer)
      if (!envelope.success && !more.mayFail)
        throw failure(envelope.message || `the gateway answered ${answer.statusCode}`)
      return envelope as T & Envelope // the path's contract declares the fields next to `data`
    },
    async file(path) {
      const answer = await send('GET', path)
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

export async function accountOf(shell: Shell, name: string | undefined): Promise<number | undefined> {
  if (name === undefined) return undefined
  for (let page = 1; ; page += 1) {
    const { data } = await shell.request<{ data: { items: { id: number; username: string }[] } }>(
      'GET',
      `/api/user/search?keyword=${encodeURIComponent(name)}&group=&p=${page}&page_size=${PAGE}`,
    )
    const found = data.items.find(({ username }) => username === name)
    if (found) return found.id
    if (data.items.length < PAGE) throw failure(`unknown user ${name}`)
  }
}

const PAGE = 100
