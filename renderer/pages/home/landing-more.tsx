import './landing-more.css'
import { Classes, H2 } from '@blueprintjs/core'
import { type ChannelTypeName, channelTypeLabel, channelTypes } from '../../../shared/channel-types.ts'
import { VendorMark } from '../../components/vendor-mark/vendor-mark.tsx'
import { currentLocale } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

/** Features and providers, for visitors; loaded later and shown below the landing page. */
export default function LandingMore() {
  const { t } = useTranslation()
  return (
    <div className="landing-more">
      <ul className="landing-points">
        {points.map((point) => (
          <li key={point}>
            <H2 className="landing-heading">{t(`landing.${point}`)}</H2>
            <p className={Classes.TEXT_MUTED}>{t(`landing.${point}Text`)}</p>
          </li>
        ))}
      </ul>
      <section aria-label={t('landing.providers')}>
        <p className={`landing-lead ${Classes.TEXT_MUTED}`}>{t('landing.providers')}</p>
        <ul className="landing-vendors">
          {vendors.map((type) => (
            <li key={type}>
              <VendorMark type={type} size={20} />
              {channelTypeLabel(channelTypes[type], currentLocale())}
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

const points = ['formats', 'routing', 'receipts'] as const

const vendors = [
  'openai',
  'anthropic',
  'gemini',
  'azure',
  'aws',
  'vertex',
  'deepseek',
  'mistral',
  'moonshot',
  'ali',
  'openrouter',
  'ollama',
] as const satisfies readonly ChannelTypeName[]
