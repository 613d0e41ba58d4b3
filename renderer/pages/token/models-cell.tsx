import { Classes } from '@blueprintjs/core'
import type { TokenView } from '../../../shared/api/token.ts'
import { TagPopover } from '../../components/popover/tag-popover.tsx'
import { useTranslation } from '../../translation.ts'

/** The models that a token may use: all, one, or one and how many more, which a click tells. */
export function ModelsCell({ token }: { token: TokenView }) {
  const { t } = useTranslation()
  const models = token.model_limits_enabled ? token.model_limits.split(',').filter(Boolean) : undefined
  if (!models) return <span className={Classes.TEXT_MUTED}>{t('token.allModels')}</span>
  const [first = '—', ...others] = models
  const name = (
    <span className="token-model" title={first}>
      {first}
    </span>
  )
  if (others.length === 0) return name
  return (
    <span className="token-models">
      {name}
      <TagPopover
        intent="none"
        hint={others.join('\n')}
        content={
          <div role="dialog" aria-label={t('token.modelsOf', { name: token.name })}>
            <ul className="token-model-list">
              {models.map((model) => (
                <li key={model}>{model}</li>
              ))}
            </ul>
          </div>
        }
      >
        <span aria-hidden>+{others.length}</span>
        <span className="page-table-spoken">{t('token.moreModels', { n: others.length })}</span>
      </TagPopover>
    </span>
  )
}
