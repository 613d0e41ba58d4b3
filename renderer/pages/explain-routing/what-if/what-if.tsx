import './what-if.css'
import { Card, Classes } from '@blueprintjs/core'
import { Lightbulb } from '@blueprintjs/icons'
import { useState } from 'react'
import type { WhatIfRequest } from '../../../../shared/api/what-if.ts'
import { BlankState } from '../../../components/blank-state/blank-state.tsx'
import { useTranslation } from '../../../translation.ts'
import { ChangeForm } from './change-form.tsx'
import { emptyDraft, requestOf, type WhatIfDraft } from './draft.ts'
import { Result } from './result.tsx'

/** What was asked, and of which draft. */
export type AskedWhatIf = Readonly<{ number: number; draft: WhatIfDraft; body: WhatIfRequest }>

/**
 * "What if": other channels, weights, priorities or retries on the requests of the last hours (docs/reference/what-if.md).
 * Nothing is changed until that is asked for by itself.
 */
export function WhatIf() {
  const { t } = useTranslation()
  const [draft, change] = useState(emptyDraft)
  const [asked, ask] = useState<AskedWhatIf>()
  const [isRunning, run] = useState(false)
  const workOut = () => {
    const body = requestOf(draft, Math.floor(Date.now() / 1000))
    ask({ number: (asked?.number ?? 0) + 1, draft, body })
    run(true)
  }
  const cancel = () => {
    ask(undefined)
    run(false)
  }
  const finish = () => {
    change({ ...draft, channels: [] })
    cancel()
  }
  return (
    <>
      <p className={`explain-intro ${Classes.TEXT_MUTED}`}>{t('whatIf.intro')}</p>
      <ChangeForm draft={draft} onChange={change} isRunning={isRunning} onAsk={workOut} onCancel={cancel} />
      {asked ? (
        <Result
          key={asked.number}
          asked={asked}
          isStale={asked.draft !== draft}
          onSettled={() => run(false)}
          onAgain={workOut}
          onApplied={finish}
        />
      ) : (
        <Card className="explain-blank">
          <BlankState icon={<Lightbulb size={48} />} title={t('whatIf.blank')} description={t('whatIf.blankHint')} />
        </Card>
      )}
    </>
  )
}
