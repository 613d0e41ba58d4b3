export function BrandMark({ logo, size = 24 }: { logo: string; size?: number }) {
  return <img src={logo || '/favicon.svg'} alt="" width={size} height={size} />
}
