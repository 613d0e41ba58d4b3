import './new-year.css'
import { Button, Card } from '@blueprintjs/core'
import { Clean } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { hasUnsaved } from '../../api/unsaved.ts'
import { useTranslation } from '../../translation.ts'
import { fireworks } from './fireworks.ts'

/**
 * On New Year's Day, a button in the bar: fireworks for three seconds, and a page reload ten seconds later unless
 * there is unsaved input. No fireworks for users who prefer reduced motion (docs/reference/screens.md#new-year).
 */
export default function NewYear() {
  const { t } = useTranslation()
  const [state, setState] = useState<'quiet' | 'lit' | 'over'>('quiet')
  const label = t('newYear.celebrate')
  useEffect(() => {
    if (state === 'quiet') return
    const next = state === 'lit' ? () => setState('over') : reload
    const timer = setTimeout(next, state === 'lit' ? shownMs : reloadMs)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <>
      <Button
        variant="minimal"
        icon={<Clean />}
        aria-label={label}
        title={label}
        disabled={state !== 'quiet'}
        onClick={() => setState('lit')}
      />
      {state === 'lit' && createPortal(<Greeting />, document.body)}
    </>
  )
}

const shownMs = 3000
const reloadMs = 10_000

function reload(): void {
  if (!hasUnsaved()) window.location.reload()
}

/** Over the page; clicks pass through. */
function Greeting() {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    return canvas.current && !isStill ? fireworks(canvas.current) : undefined
  }, [])
  return (
    <div className="new-year">
      <canvas ref={canvas} aria-hidden />
      <Card elevation={3} role="status">
        {t('newYear.greeting', { year: new Date().getFullYear() })}
      </Card>
    </div>
  )
}
