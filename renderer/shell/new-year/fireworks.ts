/** A spark: position in pixels, speed in pixels per frame, and remaining life from 1 to 0. */
type Spark = { x: number; y: number; dx: number; dy: number; life: number; hue: number }

const SPARKS = 56
const BURST_EVERY_FRAMES = 22
const GRAVITY = 0.045
const DRAG = 0.985
const FADE = 0.014
const hues = [212, 38, 152, 330] as const

/** Draws fireworks on a canvas until the returned function is called. */
export function fireworks(canvas: HTMLCanvasElement): () => void {
  const brush = canvas.getContext('2d')
  if (!brush) return () => undefined
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = window.devicePixelRatio
  canvas.width = width * scale
  canvas.height = height * scale
  brush.scale(scale, scale)
  let sparks: Spark[] = []
  let frame = 0
  let next = 0
  const draw = () => {
    if (frame % BURST_EVERY_FRAMES === 0) sparks.push(...burst(width, height, frame / BURST_EVERY_FRAMES))
    frame += 1
    sparks = sparks.filter(({ life }) => life > FADE)
    brush.clearRect(0, 0, width, height)
    for (const spark of sparks) {
      fly(spark)
      brush.fillStyle = `hsl(${spark.hue} 90% 60% / ${spark.life})`
      brush.beginPath()
      brush.arc(spark.x, spark.y, 1 + spark.life * 1.6, 0, Math.PI * 2)
      brush.fill()
    }
    next = requestAnimationFrame(draw)
  }
  next = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(next)
}

function fly(spark: Spark): void {
  spark.x += spark.dx
  spark.y += spark.dy
  spark.dx *= DRAG
  spark.dy = spark.dy * DRAG + GRAVITY
  spark.life -= FADE
}

/** One rocket that bursts somewhere in the upper half. */
function burst(width: number, height: number, seed: number): Spark[] {
  const x = width * (0.15 + scattered(seed) * 0.7)
  const y = height * (0.12 + scattered(seed * 3 + 1) * 0.35)
  const hue = hues[seed % hues.length] ?? hues[0]
  return Array.from({ length: SPARKS }, (_, index) => {
    const angle = (index / SPARKS) * Math.PI * 2
    const speed = 1.2 + scattered(index * 7 + seed) * 3.2
    return { x, y, dx: Math.cos(angle) * speed, dy: Math.sin(angle) * speed, life: 1, hue: hue + scattered(index) * 24 }
  })
}

/** A number from 0 to 1 that differs much from those of neighbouring indices; it looks random but is deterministic. */
const scattered = (index: number): number => (index * 0.618034) % 1
