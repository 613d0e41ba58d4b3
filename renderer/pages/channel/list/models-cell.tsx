import './models-cell.css'
import { Classes } from '@blueprintjs/core'
import { TagPopover } from '../../../components/popover/tag-popover.tsx'
import { useTranslation } from '../../../translation.ts'
import { channelsOf, isTag, namesIn, type Row } from './row.ts'

/** How many models a row offers and the first of them; opens onto all of them. */
export function ModelsCell({ row }: { row: Row }) {
  const { t } = useTranslation()
  const models = [...new Set(channelsOf(row).flatMap((channel) => namesIn(channel.models)))]
  const name = isTag(row) ? t('channel.tagName', { tag: row.tag ?? '' }) : row.name
  const label = t('channel.modelsOf', { name, n: models.length })
  return (
    <TagPopover
      intent="none"
      className="models-cell"
      hint={models.slice(0, HINTED).join('\n')}
      content={
        <div className="models-list" role="dialog" aria-label={label}>
          <strong>{label}</strong>
          <ul className={Classes.MONOSPACE_TEXT}>
            {models.map((model) => (
              <li key={model}>{model}</li>
            ))}
          </ul>
        </div>
      }
    >
      <span className="models-cell-count tabular">{models.length}</span>{' '}
      <span className="models-cell-names">{models.slice(0, SHOWN).join(', ')}</span>
    </TagPopover>
  )
}

/** Names in the row, and in what a mouse that rests on it is told. */
const SHOWN = 2
const HINTED = 30
