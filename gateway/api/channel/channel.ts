import { channel } from '../../../shared/api/channel.ts'
import type { ModelPrice } from '../../../shared/api/unsaved-channel.ts'
import { knownModels } from '../../channels/admin/models.ts'
import type { Channels } from '../../channels/channels.ts'
import { type Served, serve } from '../serve.ts'
import { testerFrom } from './test-initiator.ts'

/** The calls on channels (docs/reference/api.md#calls). */
export const createChannelApi = (
  { registry, clientUsage, editor, tags, listing, test, dryRun, balance, models, mendConsistency }: Channels,
  priceOf: (model: string) => ModelPrice,
): Served[] =>
  serve(channel, {
    list: async ({ query, caller }) => {
      const { rows, total, typeCounts } = await listing.list(query, caller.memory)
      return { data: rows, extras: { total, page: query.p, page_size: query.page_size, type_counts: typeCounts } }
    },
    search: ({ query, caller }) => listing.search(query, caller.memory),
    models: () => knownModels(registry.enabledModels()),
    enabledModels: () => [...registry.enabledModels()],
    one: ({ params }) => listing.one(params.id),
    create: ({ body }) => editor.create(body).then(nothing),
    update: async ({ body }) => {
      await editor.update(body)
      return listing.one(body.id)
    },
    remove: ({ params }) => editor.remove(params.id).then(nothing),
    removeDisabled: () => editor.removeDisabled(),
    removeMany: ({ body }) => editor.removeMany(body.ids),
    tagMany: ({ body }) => tags.tagMany(body.ids, body.tag),
    enableTag: ({ body }) => tags.enable(body.tag).then(nothing),
    disableTag: ({ body }) => tags.disable(body.tag).then(nothing),
    updateTag: ({ body }) => tags.change(body).then(nothing),
    tagModels: ({ query }) => tags.modelsOf(query.tag),
    fix: async () => {
      const { channels, ...extras } = await mendConsistency()
      return { data: channels, extras: extras }
    },
    test: async ({ params, query, actor, caller }) => {
      const { ok, code, message, seconds } = await test.one(params.id, query.model, testerFrom(actor, caller))
      const extras = { time: seconds, code }
      return ok ? { data: null, extras } : { failed: message, extras }
    },
    testAll: ({ actor, caller }) => {
      test.all(testerFrom(actor, caller))
      return null
    },
    balance: async ({ params }) => ({ data: null, extras: { balance: await balance.one(params.id) } }),
    balances: ({ caller }) => {
      balance.all(caller.locale)
      return null
    },
    vendors: () => dryRun.vendors(),
    probe: ({ body, caller }) => dryRun.run(body, caller.locale),
    prices: ({ body }) => body.models.map(priceOf),
    fetchModels: ({ body }) => models.of(body),
    fetchOwnModels: ({ params }) => models.ofChannel(params.id),
    upstreamSeen: ({ params }) => clientUsage.list(params.id),
  })

const nothing = () => null
