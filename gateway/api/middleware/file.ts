import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { GatewayError } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'

const MAX_LISTENERS = 20

/** A file that is generated while it is sent, no faster than it is read. */
export type FileMade = Readonly<{
  /** File name: letters, digits, dots and dashes. */
  name: string
  type: string
  pieces: AsyncIterator<string>
}>

/**
 * Sends a file. An error in its first piece becomes the response; a later one closes the connection, so that a partial
 * file is not mistaken for a complete one. A disconnect stops the generation.
 */
export async function answerFile(ctx: Context, { name, type, pieces }: FileMade, log: Logger): Promise<void> {
  const first = await pieces.next()
  const body = Readable.from(from(first, pieces), { objectMode: false })
  body.once('error', (error) => {
    if (!ctx.res.destroyed && !(error instanceof GatewayError))
      log.error('a file could not be made to its end', { path: ctx.path, error })
    ctx.res.destroy()
  })
  // A response that ends before its body is read (HEAD, a disconnect) never runs the cleanup in `from`: the generator
  // is closed here.
  const end = () => {
    body.destroy()
    pieces.return?.().catch(() => {})
  }
  // Node's pipeline and the layers above have ten listeners of their own.
  ctx.res.setMaxListeners(MAX_LISTENERS).once('close', end)
  if (ctx.res.destroyed) end()
  ctx.status = 200
  ctx.type = type
  ctx.attachment(name)
  ctx.body = body
}

async function* from(first: IteratorResult<string>, pieces: AsyncIterator<string>): AsyncGenerator<string, void> {
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) yield piece.value
  } finally {
    await pieces.return?.()
  }
}
