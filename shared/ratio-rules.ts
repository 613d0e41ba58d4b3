/** A test on a model's name; all parts that are present must match. */
type NameTest = Readonly<{ prefix?: string; suffix?: string; contains?: string; equals?: string; equals_ci?: string }>
/** A ratio by name, used if the operator has not set one (docs/reference/billing.md#built-in-prices). */
export type RatioRule = NameTest & Readonly<{ all?: readonly NameTest[]; ratio: number }>

export const matchRule = (rules: readonly RatioRule[], model: string): number =>
  rules.find((rule) => fits(rule, model) && (rule.all ?? []).every((test) => fits(test, model)))?.ratio ?? 1

/** A model's name without its vendor: many names begin with it, such as `openai/gpt-4o`. */
export const withoutVendor = (model: string): string => model.slice(model.lastIndexOf('/') + 1)

function fits(test: NameTest, model: string): boolean {
  return (
    (test.prefix === undefined || model.startsWith(test.prefix)) &&
    (test.suffix === undefined || model.endsWith(test.suffix)) &&
    (test.contains === undefined || model.includes(test.contains)) &&
    (test.equals === undefined || model === test.equals) &&
    (test.equals_ci === undefined || model.toLowerCase() === test.equals_ci)
  )
}
