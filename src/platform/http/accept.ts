export function getQuality(accept: string, type: RegExp): number {
  // Bounds the work on one header.
  const ranges = accept.slice(0, 1_000).toLowerCase().split(',')
  const qualities = ranges.map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (!type.test(name)) return 0
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  })
  return Math.max(...qualities)
}
