import './error-help.css'
import { Link } from 'react-router-dom'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useTranslation } from '../../translation.ts'
import { PriceForm } from '../price-form/price-form.tsx'
import { type FailedRequest, helpLinksOf, lacksPrice } from './help-links-of.ts'

/** The links, and the fields of a missing price; empty if the reader can do nothing. Load it lazily. */
export default function HelpLinks(props: Omit<FailedRequest, 'isAdmin'>) {
  const { t } = useTranslation()
  const isAdmin = (useUser()?.role ?? 0) >= role.admin
  const request = { ...props, isAdmin }
  const links = helpLinksOf(request)
  if (links.length === 0 && !lacksPrice(request)) return null
  return (
    <div className="error-help">
      {links.map(({ to, label, name }) => (
        <Link key={to} to={to}>
          {name === undefined ? t(label) : t('help.channel', { name })}
        </Link>
      ))}
      {lacksPrice(request) && <PriceForm model={request.model} />}
    </div>
  )
}
