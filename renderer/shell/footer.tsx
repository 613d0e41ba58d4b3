import './footer.css'
import { lazy, Suspense } from 'react'
import { useStatus } from '../api/status.ts'
import { useTranslation } from '../translation.ts'

/** The sanitizer is loaded only for operators who wrote their own footer. */
const CleanHtml = lazy(() => import('../components/clean-html/clean-html.tsx'))

/**
 * The line under every page: the operator's sanitized HTML, or year, system name and version. Needs no request: its
 * content is in the status, which is loaded before any page and kept up to date (docs/reference/screens.md#shell).
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
