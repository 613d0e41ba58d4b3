import { imports } from '../../../shared/api/import.ts'
import type { Imports } from '../../import/imports.ts'
import { type Served, serve } from '../serve.ts'

/** Imports from other gateways (docs/operations.md#import); only for root. */
export const importApi = (one: Imports): Served[] =>
  serve(imports, {
    state: ({ caller }) => one.state(caller.locale),
    upload: async ({ query, file, caller }) => {
      await one.take(query.name, file)
      return one.state(caller.locale)
    },
    check: ({ body, actor }) => {
      one.check(body, actor)
      return null
    },
    confirm: ({ body, actor }) => {
      one.confirm(body.report, actor)
      return null
    },
    cancel: async () => {
      await one.cancel()
      return null
    },
  })
