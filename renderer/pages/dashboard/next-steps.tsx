import { Card, type Intent, Tag } from '@blueprintjs/core'
import { ArrowRight } from '@blueprintjs/icons'
import type { Overview } from '../../../shared/api/overview.ts'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { PriceForm } from '../../components/price-form/price-form.tsx'
import { useTranslation } from '../../translation.ts'

type Step = Readonly<{ id: string; intent: Intent; text: string; to?: string; go?: string; models?: readonly string[] }>

/** Next steps, while there are any: missing parts, then the start of a new account. */
export function NextSteps({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const steps = useSteps(overview)
  if (steps.length === 0) return null
  return (
    <section aria-label={t('home.next')}>
      <Card compact className="dash-next">
        <ul className="dash-steps">
          {steps.map(({ id, intent, text, to, go, models = [] }) => (
            <li key={id} className="dash-step">
              <Tag minimal intent={intent} aria-hidden icon={<ArrowRight />} />
              <span className="dash-step-text">{text}</span>
              {to && go && <LinkButton isFilled to={to} text={go} />}
              {models.map((model) => (
                <PriceForm key={model} model={model} />
              ))}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}

function useSteps({ scope, channels, unpriced, tokens, has_requests }: Overview): readonly Step[] {
  const { t } = useTranslation()
  const isRoot = useUser()?.role === role.root
  const isOwn = useStatus().self_use_mode_enabled || scope === 'own'
  const counted = (n: number) => t('home.step.unpriced', { n })
  const toChannels = { to: '/channel', go: t('help.channels') }
  const steps: (Step | false | null | undefined)[] = [
    channels?.total === 0 && {
      id: 'provider',
      intent: 'primary',
      text: t('home.step.provider'),
      to: '/connect/provider',
      go: t('home.step.providerGo'),
    },
    channels?.total === 0 &&
      isRoot && {
        id: 'import',
        intent: 'none',
        text: t('home.step.import'),
        to: '/import',
        go: t('page.import'),
      },
    channels &&
      channels.total > 0 &&
      channels.enabled === 0 && { id: 'off', intent: 'danger', text: t('home.step.noneEnabled'), ...toChannels },
    unpriced &&
      unpriced.total > 0 && {
        id: 'price',
        intent: 'warning',
        text: counted(unpriced.total),
        models: unpriced.first,
      },
    (!has_requests || (tokens === 0 && isOwn)) &&
      channels?.total !== 0 && {
        id: 'client',
        intent: 'primary',
        text: t('home.step.client'),
        to: '/connect/client',
        go: t('home.step.clientGo'),
      },
  ]
  return steps.filter((step): step is Step => Boolean(step))
}
