/** A share from 0 to 1 as people read it: whole percents where it is whole, else one more digit; what is there is never 0%. */
export function percent(share: number): string {
  const rounded = Math.round(share * 1000) / 10
  return share > 0 && rounded === 0 ? '<0.1%' : `${rounded}%`
}
