import { Classes } from '@blueprintjs/core'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { useTranslation } from '../../translation.ts'

/** Which accounts elsewhere belong to this one; nobody but its owner changes that. */
export function Bindings({ user }: { user: ManagedUser }) {
  const { t } = useTranslation()
  return (
    <>
      <p className={Classes.TEXT_MUTED}>{t('user.bindingsHint')}</p>
      <dl className="user-bindings">
        {bindings.map((name) => (
          <div key={name}>
            <dt>{t(`user.binding.${name}`)}</dt>
            {user[name] === '' ? (
              <dd className={Classes.TEXT_MUTED}>{t('user.unbound')}</dd>
            ) : (
              <dd className={Classes.MONOSPACE_TEXT}>{user[name]}</dd>
            )}
          </div>
        ))}
      </dl>
    </>
  )
}

const bindings = ['github_id', 'oidc_id', 'wechat_id', 'email', 'telegram_id', 'linux_do_id'] as const
