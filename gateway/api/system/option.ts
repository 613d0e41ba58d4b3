import { option } from '../../../shared/api/option.ts'
import { isOptionKey } from '../../../shared/options/index.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Served, serve, withMessage } from '../serve.ts'
import type { OptionAuthor, OptionWriter } from './option-writer.ts'

type OptionDeps = Readonly<{
  settings: Pick<Settings, 'all' | 'states' | 'defaultOf'>
  writer: OptionWriter
}>

/**
 * Reading and writing options (docs/reference/options.md#writing, docs/reference/options.md#secrets). Secrets are never
 * returned.
 */
export function optionApi({ settings, writer }: OptionDeps): Served[] {
  const reset = async (key: string, base: string | undefined, author: Omit<OptionAuthor, 'origin'>) => {
    if (!isOptionKey(key)) throw refuse('invalid', 'option.unknown', { key })
    return writer.save([{ key, value: settings.defaultOf(key), base }], { ...author, origin: 'reset' })
  }
  return serve(option, {
    list: () => settings.all(),
    state: async () => {
      const stamps = await writer.stamps()
      return settings.states().map(({ key, isDefault, isSet }) => ({
        key,
        is_default: isDefault,
        is_set: isSet,
        changed_at: stamps.get(key)?.updated_at ?? 0,
        changed_by: stamps.get(key)?.updated_by ?? '',
      }))
    },
    update: ({ body, query, actor, caller }) => writer.save([body], { actor, caller, origin: 'edit', ...query }),
    updateMany: ({ body, query, actor, caller }) =>
      writer.save(body.changes, { actor, caller, origin: 'edit', ...query }),
    reset: ({ body, actor, caller }) => reset(body.key, body.base, { actor, caller }),
    resetRatios: async ({ actor, caller }) => {
      await reset('ModelRatio', undefined, { actor, caller })
      return withMessage('option.ratio_reset', null)
    },
  })
}
