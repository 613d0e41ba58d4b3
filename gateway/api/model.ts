import { model } from '../../shared/api/model.ts'
import { channelTypeNames, channelTypes } from '../../shared/channel-types.ts'
import { defaultModels } from '../channels/registry/default-models.ts'
import type { Settings } from '../settings/settings.ts'
import { serve } from './serve.ts'

/**
 * The groups of the installation and the usual models of each channel type (docs/reference/api.md#groups-and-models).
 */
export const modelApi = ({ settings }: { settings: Pick<Settings, 'get'> }) =>
  serve(model, {
    groups: () => Object.keys(settings.get('GroupRatio')).sort(),
    byChannelType: () =>
      Object.fromEntries(channelTypeNames.map((name) => [channelTypes[name].id, [...defaultModels[name]]])),
  })
