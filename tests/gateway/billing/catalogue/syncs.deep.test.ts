import { describe, expect, it } from 'vitest'
import type { CatalogueComparison } from '../../../../shared/api/catalogue.ts'
import { type Client, dataOf } from '../../../support/client.ts'
import { aWorld, type Options, type World } from '../../../support/world.ts'

const compare = async (who: Client, file: unknown): Promise<CatalogueComparison> =>
  dataOf(await who.post('/api/pricing/catalogue/compare', { source: 'file', file }))
const apply = (who: Client, digest: string, models: readonly string[]) =>
  who.post('/api/pricing/catalogue/apply', { digest, models })
const maps = ({ gateway }: World) => ({
  ModelPrice: gateway.inner.settings.get('ModelPrice'),
  ModelRatio: gateway.inner.settings.get('ModelRatio'),
  CompletionRatio: gateway.inner.settings.get('CompletionRatio'),
  CacheRatio: gateway.inner.settings.get('CacheRatio'),
})
/** A few custom prices in place of the built-in ones. */
const few: Options = {
  ModelPrice: { picture: 0.1 },
  ModelRatio: { 'gpt-4o': 1.25, mine: 7 },
  CompletionRatio: { mine: 3 },
  CacheRatio: { 'gpt-4o': 0.5 },
}

describe('a refused update changes nothing', () => {
  it('maps that would outgrow what people can still change by hand', async () => {
    const world = await aWorld({ options: few })
    const name = 'm'.repeat(245)
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`${name}${at}`, 1.5]))
    const { digest, rows } = await compare(world.admin, { model_ratio: many })
    const reply = await apply(
      world.admin,
      digest,
      rows.map(({ model }) => model),
    )
    expect(reply.message).toMatch(/Choose fewer models/)
    expect(maps(world).ModelRatio).toEqual(few.ModelRatio)
  })
})
