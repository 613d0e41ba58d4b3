import type { Context } from 'koa'

/** The answer to a path that is not there, in the shape of docs/reference/api.md#statuses; never the console's page. */
export function answerNotFound(ctx: Context): void {
  ctx.status = 404
  ctx.body = {
    error: { message: `Invalid URL (${ctx.method} ${ctx.path})`, type: 'invalid_request_error', param: '', code: '' },
  }
}
