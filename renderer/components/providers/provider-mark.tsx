import '../vendor-mark/vendor-mark.css'
import type { LoginProvider } from '../../../shared/api/oauth.ts'

/** The drawing of a provider, in the colour of the text around it; a name stands beside it, so nobody is read it. */
export function ProviderMark({ provider, size = 16 }: Readonly<{ provider: LoginProvider; size?: number }>) {
  return (
    <svg className="vendor-mark" viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <path d={marks[provider]} />
    </svg>
  )
}

const marks: Readonly<Record<LoginProvider, string>> = {
  github:
    'M9.5 21v-4.4C6.5 16 4.5 13.8 4.5 10.3V4l3.8 2.2a13 13 0 0 1 7.4 0L19.5 4v6.3c0 3.5-2 5.7-5 6.3V21M9.5 19.3c-2.6.6-3.7-.8-4.8-2.3',
  oidc: 'M10 8.3C5.8 8.7 3 10.9 3 13.8s2.9 5.2 7 5.6M13.5 8.3c1.9.2 3.5.8 4.8 1.7l2.4-1.5v5.3l-5.3-1.3M10 21.5V4.7L13.5 3v16.8z',
  linuxdo: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M4 8.7h16M4 15.3h16',
  wechat:
    'M15.5 8.6C14.8 5.9 12.2 4 9 4c-3.9 0-7 2.7-7 6 0 1.9 1 3.6 2.7 4.7L4.2 17l2.5-1.2M22 14.8c0-2.7-2.7-4.9-6-4.9s-6 2.2-6 4.9 2.7 4.9 6 4.9c.7 0 1.4-.1 2-.3l2.3 1.1-.5-2c1.4-.9 2.2-2.2 2.2-3.7M6.8 8.8v.1M11.2 8.8v.1M14 13.7v.1M18 13.7v.1',
  telegram: 'M21.5 3.5 2.5 11l6 2.3 2 6.7 3.2-4 4.8 3.5zM8.5 13.3l9.5-7.3-7.5 8.5V20',
}
