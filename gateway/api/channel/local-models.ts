import { localModels as calls } from '../../../shared/api/local-models.ts'
import type { LocalModels } from '../../channels/local/local-models.ts'
import { type Served, serve } from '../serve.ts'

/**
 * Detects local programs with models, and creates their channels (docs/reference/local-models.md); scans only on
 * request.
 */
export const localModelsApi = ({ localModels }: Readonly<{ localModels: LocalModels }>): Served[] =>
  serve(calls, {
    list: () => localModels.list(),
    probe: ({ body }) => localModels.probe(body.targets),
    add: ({ body: { takes, ...target } }) => localModels.add(target, takes),
    update: ({ body }) => localModels.update(body.channel_id),
    follow: ({ body }) => localModels.follow(body.channel_id, body.takes),
  })
