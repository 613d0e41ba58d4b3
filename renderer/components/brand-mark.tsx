/** The operator's logo, or our own mark: one line in, two lines out. Decorative, for the name stands beside it. */
export function BrandMark({ logo, size = 24 }: { logo: string; size?: number }) {
  return <img src={logo || '/favicon.svg'} alt="" width={size} height={size} />
}
