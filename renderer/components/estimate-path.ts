/** The address of "What would this request cost?" on the pricing page, with a model filled in where one is given. */
export const estimatePath = (model = ''): string => `/pricing?${new URLSearchParams({ cost: model })}`
