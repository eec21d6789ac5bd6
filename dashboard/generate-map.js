import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { feature } from 'topojson-client'

const FILE = fileURLToPath(new URL('./src/charts/world-map.gen.ts', import.meta.url))
const SCALE = 1_750
const CENTER_X = 4_800
const CENTER_Y = 2_500
const ANTARCTICA = 'Antarctica'

/** Names of Natural Earth that are not those of `Intl`; null: no code of ISO 3166-1. */
const CODES = {
  'Dem. Rep. Congo': 'CD',
  Congo: 'CG',
  'Dominican Rep.': 'DO',
  'Falkland Is.': 'FK',
  'Fr. S. Antarctic Lands': 'TF',
  "Côte d'Ivoire": 'CI',
  'Central African Rep.': 'CF',
  'Eq. Guinea': 'GQ',
  eSwatini: 'SZ',
  Palestine: 'PS',
  Myanmar: 'MM',
  'Solomon Is.': 'SB',
  Taiwan: 'TW',
  'N. Cyprus': null,
  Somaliland: null,
  Czechia: 'CZ',
  'Bosnia and Herz.': 'BA',
  Macedonia: 'MK',
  'S. Sudan': 'SS',
  'W. Sahara': 'EH',
  Turkey: 'TR',
  'United States of America': 'US',
  'Trinidad and Tobago': 'TT',
  Kosovo: 'XK',
  'Siachen Glacier': null,
  'Indian Ocean Ter.': null,
  'Ashmore and Cartier Is.': null,
  Vatican: 'VA',
  'São Tomé and Principe': 'ST',
  'Antigua and Barb.': 'AG',
  'St. Vin. and Gren.': 'VC',
  'St. Kitts and Nevis': 'KN',
  'Marshall Is.': 'MH',
  'Cabo Verde': 'CV',
  'St-Martin': 'MF',
  'Saint Lucia': 'LC',
  'Cook Is.': 'CK',
  'Cayman Is.': 'KY',
  'Turks and Caicos Is.': 'TC',
  'U.S. Virgin Is.': 'VI',
  'British Virgin Is.': 'VG',
  'Faeroe Is.': 'FO',
  'Fr. Polynesia': 'PF',
  'N. Mariana Is.': 'MP',
  Macao: 'MO',
  'Hong Kong': 'HK',
  'Wallis and Futuna Is.': 'WF',
  Åland: 'AX',
}

/** The table of paths and dots, as text. The same packages give the same text. */
export function generateMap() {
  const paths = new Map()
  for (const { name, rings } of countriesOf('110m')) {
    if (name === ANTARCTICA) continue
    const code = codeOf(name) ?? ''
    paths.set(code, (paths.get(code) ?? '') + rings.map(drawRing).join(''))
  }
  const dots = new Map()
  for (const { name, rings } of countriesOf('50m')) {
    const code = codeOf(name)
    if (code && name !== ANTARCTICA && !paths.has(code)) dots.set(code, middleOf(rings))
  }
  const rows = (map) =>
    Array.from(map, ([code, value]) => `  ['${code}', ${JSON.stringify(value)}],`)
      .toSorted()
      .join('\n')
  return `// Written by dashboard/generate-map.js from world-atlas 2 (ISC), data of Natural Earth (public domain).
/** Width and height of the drawing. */
export const MAP_SIZE = [${2 * CENTER_X}, 4600] as const
/** Borders by ISO code, in the projection Natural Earth I; '' is land without a code. */
export const MAP_PATHS: readonly (readonly [string, string])[] = [
${rows(paths)}
]
/** Countries that are too small to have a border here. */
export const MAP_DOTS: readonly (readonly [string, readonly [number, number]])[] = [
${rows(dots)}
]
`
}

function* countriesOf(detail) {
  const path = createRequire(import.meta.url).resolve(`world-atlas/countries-${detail}.json`)
  const atlas = JSON.parse(readFileSync(path, 'utf8'))
  for (const { properties, geometry } of feature(atlas, atlas.objects.countries).features) {
    if (!geometry) continue
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const rings = polygons.flatMap(([outer]) => cutAtDateLine(outer))
    yield { name: properties.name, rings: rings.map((ring) => ring.map(project)) }
  }
}

/** A ring that passes 180° goes on at -180° in the data; drawn as it is, it would cross the whole map. */
function cutAtDateLine(ring) {
  let turns = 0
  const unwound = ring.map(([longitude, latitude], i) => {
    const step = i === 0 ? 0 : longitude - ring[i - 1][0]
    if (step > 180) turns -= 360
    if (step < -180) turns += 360
    return [longitude + turns, latitude]
  })
  const longitudes = unwound.map(([longitude]) => longitude)
  for (const line of [180, -180]) {
    if (Math.max(...longitudes) <= line || Math.min(...longitudes) >= line) continue
    const shift = line === 180 ? -360 : 360
    const [west, east] = [clip(unwound, line, -1), clip(unwound, line, 1)]
    const [within, beyond] = line === 180 ? [west, east] : [east, west]
    return [within, beyond.map(([longitude, latitude]) => [longitude + shift, latitude])]
  }
  return [unwound]
}

/** The part of a ring on one side of a meridian. */
function clip(ring, line, side) {
  const isInside = ([longitude]) => (longitude - line) * side >= 0
  const kept = ring.slice(1).flatMap((to, i) => {
    const from = ring[i]
    const share = (line - from[0]) / (to[0] - from[0])
    const crossing =
      isInside(from) === isInside(to) ? [] : [[line, from[1] + share * (to[1] - from[1])]]
    return [...crossing, ...(isInside(to) ? [to] : [])]
  })
  return [...kept, kept[0]]
}

const englishNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const codes = new Map()
for (const first of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  for (const second of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    const name = englishNames.of(first + second)
    // The first one: later codes of the same name are former ones.
    if (name && Intl.getCanonicalLocales(`und-${first}${second}`)[0] === `und-${first}${second}`)
      codes.set(name.replace(' & ', ' and '), first + second)
  }

function codeOf(name) {
  return name in CODES ? CODES[name] : (codes.get(name) ?? null)
}

/** The projection Natural Earth I of Tom Patterson, as a polynomial of Bojan Šavrič. */
function project([longitude, latitude]) {
  const lambda = (longitude * Math.PI) / 180
  const phi = (latitude * Math.PI) / 180
  const p2 = phi * phi
  const p4 = p2 * p2
  const x =
    lambda * (0.8707 - 0.131979 * p2 + p4 * (-0.013791 + p4 * (0.003971 * p2 - 0.001529 * p4)))
  const y = phi * (1.007226 + p2 * (0.015085 + p4 * (-0.044475 + 0.028874 * p2 - 0.005916 * p4)))
  return [Math.round(CENTER_X + SCALE * x), Math.round(CENTER_Y - SCALE * y)]
}

/** A ring as the data of a path; nothing for one that is a single point at this scale. */
function drawRing(points) {
  const [start] = points
  let [beforeX, beforeY] = start
  let path = `M${beforeX} ${beforeY}l`
  for (const [x, y] of points.slice(1, -1)) {
    if (x === beforeX && y === beforeY) continue
    path += `${x - beforeX} ${y - beforeY} `
    ;[beforeX, beforeY] = [x, y]
  }
  if (path.endsWith('l')) return ''
  return `${path.trimEnd().replaceAll(' -', '-')}z`
}

/** The middle of the largest part. */
function middleOf(rings) {
  const boxes = rings.map((ring) => {
    const xs = ring.map(([x]) => x)
    const ys = ring.map(([, y]) => y)
    const [left, right, top, bottom] = [
      Math.min(...xs),
      Math.max(...xs),
      Math.min(...ys),
      Math.max(...ys),
    ]
    const middle = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)]
    return { middle, area: (right - left) * (bottom - top) }
  })
  return boxes.toSorted((one, other) => other.area - one.area)[0].middle
}

// As a program it writes the file; a test compares.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, generateMap())
