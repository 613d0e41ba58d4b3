import { token } from '../../shared/api/token.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { serve } from './serve.ts'

/** The calls on API tokens (docs/reference/accounts.md#api-tokens); each sees the caller's own tokens only. */
export const tokenApi = (tokens: Tokens) =>
  serve(token, {
    list: async ({ query: { p, size }, actor }) => {
      const { rows, total } = await tokens.page(actor.id, p, size)
      return { data: rows, beside: { total, page: p, page_size: size } }
    },
    search: ({ query, actor }) => tokens.search(actor.id, query.keyword, query.token),
    one: ({ params, actor }) => tokens.one(actor.id, params.id),
    create: ({ body, actor }) => tokens.create(actor, body),
    update: ({ body, query, actor }) => tokens.update(actor, body, query.status_only),
    remove: async ({ params, actor }) => {
      await tokens.remove(actor.id, params.id)
      return null
    },
  })
