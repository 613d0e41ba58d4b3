import { Classes } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'

/** What the model thought before it answered, folded away until somebody opens it. */
export function Reasoning({ text, isOver }: { text: string; isOver: boolean }) {
  const { t } = useTranslation()
  return (
    <details className="play-reasoning">
      <summary className={Classes.TEXT_MUTED}>{t(isOver ? 'play.thought' : 'play.thinking')}</summary>
      <p className={`play-plain ${Classes.TEXT_MUTED}`}>{text}</p>
    </details>
  )
}
