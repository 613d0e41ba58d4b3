import { expect, type Locator } from '@playwright/test'

/** The position and size of an element. */
export type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Expects elements to be visible, and polls until their boxes pass the check. */
export async function expectBoxes(elements: readonly Locator[], check: (...boxes: Box[]) => void): Promise<void> {
  await expect(async () => {
    const boxes = await Promise.all(elements.map((element) => element.boundingBox()))
    check(...boxes.map((box, place) => box ?? notDrawn(elements[place])))
  }).toPass()
}

const notDrawn = (element: unknown): never => {
  throw new Error(`${element} is not drawn`)
}

/** The bottom and right edges of a box. */
export const bottomOf = ({ y, height }: Box): number => y + height
export const rightOf = ({ x, width }: Box): number => x + width
