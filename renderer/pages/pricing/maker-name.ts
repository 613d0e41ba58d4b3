import { type ChannelTypeName, channelTypeLabel, channelTypes } from '../../../shared/channel-types.ts'
import { currentLocale, type TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

/** Makers whose channels are called otherwise: by their product, or by how they are reached. */
const makers: ReadonlyMap<ChannelTypeName, TextKey> = new Map<ChannelTypeName, TextKey>([
  ['anthropic', 'pricing.maker.anthropic'],
  ['gemini', 'pricing.maker.gemini'],
  ['ali', 'pricing.maker.ali'],
  ['zhipu-v4', 'pricing.maker.zhipu-v4'],
  ['baidu', 'pricing.maker.baidu'],
  ['volcengine', 'pricing.maker.volcengine'],
  ['tencent', 'pricing.maker.tencent'],
  ['xunfei', 'pricing.maker.xunfei'],
  ['midjourney', 'pricing.maker.midjourney'],
  ['suno', 'pricing.maker.suno'],
  ['ollama', 'pricing.maker.ollama'],
  ['mokaai', 'pricing.maker.mokaai'],
  ['aws', 'pricing.maker.aws'],
  ['lingyiwanwu', 'pricing.maker.lingyiwanwu'],
])

/** Tells the name of a maker of models; one that nobody knows is among the others. */
export function useMakerName(): (vendor: ChannelTypeName | undefined) => string {
  const { t } = useTranslation()
  return (vendor) => {
    if (!vendor) return t('pricing.otherVendors')
    const key = makers.get(vendor)
    return key ? t(key) : channelTypeLabel(channelTypes[vendor], currentLocale())
  }
}
