import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { GatewayError } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'

/** A file that is made while it is sent; nothing more is made than is taken. */
export type FileMade = Readonly<{
  /** What it is saved as; letters, digits, dots and dashes. */
  name: string
  type: string
  pieces: AsyncIterator<string>
}>

/**
 * Answers with a file. What its first piece is refused with becomes the answer; what fails later cuts the connection, so that
 * nobody takes half of a file for the whole. Whoever hangs up ends its making.
 */
export async function answerFile(ctx: Context, { name, type, pieces }: FileMade, log: Logger): Promise<void> {
  const first = await pieces.next()
  const body = Readable.from(from(first, pieces), { objectMode: false })
  body.once('error', (error) => {
    if (!ctx.res.destroyed && !(error instanceof GatewayError))
      log.error('a file could not be made to its end', { path: ctx.path, error })
    ctx.res.destroy()
  })
  // An answer to HEAD is over before anything of the body is read, which then has nothing to clean up after.
  const end = () => {
    body.destroy()
    pieces.return?.().catch(() => {})
  }
  ctx.res.once('close', end)
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
