import { type GroupUsage, model } from '../../../shared/api/model.ts'
import { channelTypeNames, channelTypes } from '../../../shared/channel-types.ts'
import type { Channels } from '../../channels/channels.ts'
import { defaultModels } from '../../channels/registry/default-models.ts'
import type { Settings } from '../../settings/settings.ts'
import { groupUsage, MAX_GROUPS } from '../../store/log/group-usage.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import { serve } from '../serve.ts'

type ModelDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  channels: Readonly<{ registry: Pick<Channels['registry'], 'all'> }>
  /** Used for counting accounts and tokens. */
  reader: Pick<Reader, 'until'>
}>

/**
 * The groups of the installation, their contents, and the default models of each channel type
 * (docs/reference/api.md#groups-and-models).
 */
export const modelApi = ({ settings, channels, reader }: ModelDeps) =>
  serve(model, {
    groups: () => Object.keys(settings.get('GroupRatio')).sort(),
    groupUsage: async () => {
      const { users, tokens } = await groupUsage(reader.until())
      const usage = new Map<string, GroupUsage>()
      const count = (group: string, more: Partial<GroupUsage>) => {
        const known = usage.get(group)
        if (known || usage.size < MAX_GROUPS) usage.set(group, { ...(known ?? unused), ...more })
      }
      for (const { groups } of channels.registry.all())
        for (const group of new Set(groups)) count(group, { channels: (usage.get(group)?.channels ?? 0) + 1 })
      for (const { group, n } of users) count(group, { users: n })
      for (const { group, n } of tokens) count(group, { tokens: n })
      return Object.fromEntries(usage)
    },
    byChannelType: () =>
      Object.fromEntries(channelTypeNames.map((name) => [channelTypes[name].id, [...defaultModels[name]]])),
  })

const unused: GroupUsage = { channels: 0, users: 0, tokens: 0 }
