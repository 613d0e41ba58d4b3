import './notice.css'
import { Button, Card, H2 } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useTranslation } from '../../translation.ts'
import OperatorText from '../operator-text/operator-text.tsx'

/** The operator's notice, over the page until closed (docs/reference/screens.md#home). Load it lazily. */
export default function Notice({ text, onClose }: { text: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <aside aria-label={t('home.notice')}>
      <Card className="operator-notice" elevation={3}>
        <header>
          <H2 className="operator-notice-title">{t('home.notice')}</H2>
          <Button variant="minimal" icon={<Cross />} aria-label={t('label.close')} onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long notices must scroll by keyboard */}
        <div className="operator-notice-text" tabIndex={0}>
          <OperatorText text={text} />
        </div>
      </Card>
    </aside>
  )
}
