export function localTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${[two(at.getHours()), two(at.getMinutes()), two(at.getSeconds())].join(':')}`
}
