import './footer.css'
import { lazy, Suspense } from 'react'
import { useStatus } from '../api/status.ts'
import { useTranslation } from '../translation.ts'

/** The sanitiser is fetched only where an operator has written a footer of their own. */
const CleanHtml = lazy(() => import('../components/clean-html/clean-html.tsx'))

/**
 * The line under every page: the operator's own HTML, cleaned, or the year, the system's name and ours. It is never polled for:
 * it stands in the status, which is there before any page is and is followed (docs/reference/screens.md#shell).
 */
export function Footer() {
  const { t } = useTranslation()
  const { footer_html: html, system_name: name, version } = useStatus()
  return (
    <footer className="footer">
      {html ? (
        <Suspense>
          <CleanHtml html={html} />
        </Suspense>
      ) : (
        t('shell.footer', { year: new Date().getFullYear(), name, version })
      )}
    </footer>
  )
}
