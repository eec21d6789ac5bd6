import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { CONTINENTS } from '../../../src/platform/facts/geo-fields.ts'
import { openCountries } from '../../../src/platform/facts/country.ts'
import { mmdb } from '../../support/mmdb.ts'
import { until } from '../../support/eventually.ts'

const NOWHERE = { country: 'unknown', region: 'unknown', city: 'unknown', continent: 'unknown' }

function listen() {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  return { log, lines }
}

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'signpost-geo-'))
  t.after(() => rm(dir, { recursive: true }))
  return dir
}

const names = (en: string) => ({ names: { en, de: 'x' } })

test('the bundled database knows countries and continents, of IPv4, IPv6 and mapped addresses', async () => {
  const { log, lines } = listen()
  await using countries = await openCountries(null, { log, clock: Date.now })
  const table: [ip: string, country: string, continent: string][] = [
    ['8.8.8.8', 'US', 'NA'],
    ['::ffff:8.8.8.8', 'US', 'NA'],
    ['193.0.6.139', 'NL', 'EU'],
    ['2001:67c:2e8:22::c100:68b', 'NL', 'EU'],
    ['202.12.29.205', 'AU', 'OC'],
    ['200.160.2.3', 'BR', 'SA'],
    ['196.216.2.6', 'ZA', 'AF'],
    ['133.11.0.1', 'JP', 'AS'],
  ]
  for (const [ip, country, continent] of table)
    assert.deepEqual(countries.locate(ip), { ...NOWHERE, country, continent }, ip)
  assert.deepEqual(lines, [])
})

test('loopback, private, shared, documentation and unreadable addresses are nowhere', async () => {
  const everywhere = mmdb({
    '0.0.0.0/1': { country_code: 'DE' },
    '128.0.0.0/1': { country_code: 'DE' },
  })
  const dir = await mkdtemp(join(tmpdir(), 'signpost-geo-'))
  const file = join(dir, 'everywhere.mmdb')
  await writeFile(file, everywhere)
  await using countries = await openCountries(file, { log: listen().log, clock: Date.now })
  await rm(dir, { recursive: true })
  assert.equal(countries.locate('8.8.8.8').country, 'DE')
  const special = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.1.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    '::ffff:10.0.0.1',
    '',
    'unknown',
    'localhost',
    '1.2.3.4.5',
    '8.8.8.8:80',
    '[::1]',
    '2a00::/16',
    '8.8.8.8, 1.1.1.1',
    '\0',
  ]
  for (const ip of special) assert.deepEqual(countries.locate(ip), NOWHERE, ip)
})

test('city databases of each maker are read', async (t) => {
  const file = join(await folder(t), 'city.mmdb')
  await writeFile(
    file,
    mmdb({
      // MaxMind: codes for the region.
      '1.0.0.0/8': {
        continent: { code: 'NA', ...names('North America') },
        country: { iso_code: 'US', ...names('United States') },
        subdivisions: [{ iso_code: 'CA', ...names('California') }, { iso_code: 'XX' }],
        city: names('Oakland'),
      },
      // DB-IP: names only.
      '2.0.0.0/8': {
        continent: { code: 'EU' },
        country: { iso_code: 'FR' },
        subdivisions: [names('Brittany')],
        city: names('Brest'),
      },
      // ip-location-db: flat, no continent.
      '3.0.0.0/8': { country_code: 'JP', state1: 'Tokyo', city: 'Chiyoda' },
      // IPinfo: flat, the country spelled out or as a code.
      '4.0.0.0/8': {
        country: 'Germany',
        country_code: 'de',
        continent: 'Europe',
        continent_code: 'EU',
      },
      '5.0.0.0/8': { country: 'CA', continent: 'NA', region: 'Quebec', city: 'Montreal' },
      '6.0.0.0/8': { continent: { code: 'AS' } },
      '7.0.0.0/8': 'junk',
      '8.0.0.0/8': { country_code: 'USA', city: 7, subdivisions: {} },
      '9.0.0.0/8': { country_code: 'US', region_code: 'US-NY', city: 'x'.repeat(200) },
    }),
  )
  await using countries = await openCountries(file, { log: listen().log, clock: Date.now })
  const table: [ip: string, country: string, region: string, city: string, continent: string][] = [
    ['1.1.1.1', 'US', 'US-CA', 'Oakland', 'NA'],
    ['2.1.1.1', 'FR', 'FR-Brittany', 'Brest', 'EU'],
    ['3.1.1.1', 'JP', 'JP-Tokyo', 'Chiyoda', 'AS'],
    ['4.1.1.1', 'DE', 'unknown', 'unknown', 'EU'],
    ['5.1.1.1', 'CA', 'CA-Quebec', 'Montreal', 'NA'],
    ['6.1.1.1', 'unknown', 'unknown', 'unknown', 'AS'],
    ['7.1.1.1', 'unknown', 'unknown', 'unknown', 'unknown'],
    ['8.1.1.1', 'unknown', 'unknown', 'unknown', 'unknown'],
    ['9.1.1.1', 'US', 'US-NY', 'x'.repeat(80), 'NA'],
    ['11.1.1.1', 'unknown', 'unknown', 'unknown', 'unknown'],
  ]
  for (const [ip, country, region, city, continent] of table)
    assert.deepEqual(countries.locate(ip), { country, region, city, continent }, ip)
})

test('a city database describes an address with names, coordinates, time zone and its source', async (t) => {
  const file = join(await folder(t), 'city.mmdb')
  const builtAt = new Date('2026-06-01T00:00:00.000Z')
  await writeFile(
    file,
    mmdb(
      {
        '1.0.0.0/8': {
          country: { iso_code: 'US', is_in_european_union: false },
          subdivisions: [{ iso_code: 'CA', ...names('California') }],
          city: names('Oakland'),
          location: { latitude: 37.8, longitude: -122.27, time_zone: 'America/Los_Angeles' },
        },
        // ip-location-db: flat, coordinates as texts.
        '2.0.0.0/8': {
          country_code: 'RE',
          state1: 'Saint-Denis',
          latitude: '-20.88',
          longitude: '55.45',
          timezone: 'Indian/Reunion',
        },
        '3.0.0.0/8': { country_code: 'NO', latitude: 91, longitude: 10 },
        '4.0.0.0/8': { country_code: 'DE', latitude: 'north', longitude: '' },
        '10.0.0.0/8': { country_code: 'DE' },
      },
      { type: 'GeoLite2-City', builtAt },
    ),
  )
  await using countries = await openCountries(file, { log: listen().log, clock: Date.now })
  const { location, source } = countries.describe('1.1.1.1')
  assert.deepEqual(location, {
    country: 'US',
    countryName: 'United States',
    region: 'US-CA',
    regionName: 'California',
    city: 'Oakland',
    continent: 'NA',
    latitude: 37.8,
    longitude: -122.27,
    timezone: 'America/Los_Angeles',
    isEu: false,
  })
  assert.match(source.attribution!.text, /MaxMind/)
  assert.deepEqual(source.builtAt, builtAt)
  const reunion = countries.describe('2.1.1.1').location
  assert.deepEqual(
    [reunion.countryName, reunion.regionName, reunion.latitude, reunion.longitude, reunion.isEu],
    ['Réunion', 'Saint-Denis', -20.88, 55.45, true],
  )
  assert.equal(reunion.timezone, 'Indian/Reunion')
  for (const ip of ['3.1.1.1', '4.1.1.1']) {
    const { latitude, longitude } = countries.describe(ip).location
    assert.deepEqual([latitude, longitude], [null, null], ip)
  }
  for (const ip of ['10.1.1.1', '127.0.0.1', '::1', '6.6.6.6', ''])
    for (const value of Object.values(countries.describe(ip).location)) assert.equal(value, null)
})

test('the bundled database says that it is by DB-IP; of another maker nothing is said', async (t) => {
  await using bundled = await openCountries(null, { log: listen().log, clock: Date.now })
  const { source } = bundled.describe('8.8.8.8')
  assert.equal(source.attribution?.url, 'https://db-ip.com')
  assert.ok(source.builtAt!.getTime() > Date.UTC(2024, 0))
  const file = join(await folder(t), 'own.mmdb')
  await writeFile(file, mmdb({ '8.0.0.0/8': { country_code: 'US' } }))
  await using own = await openCountries(file, { log: listen().log, clock: Date.now })
  assert.deepEqual(own.describe('8.8.8.8').source, { attribution: null, builtAt: null })
})

test('an absent or damaged file makes places unknown and is logged once; a good one is taken up', async (t) => {
  const file = join(await folder(t), 'geo.mmdb')
  let nowMs = 0
  const { log, lines } = listen()
  await using countries = await openCountries(file, { log, clock: () => nowMs })
  const later = async (isDone: () => boolean) => {
    nowMs += 60_000
    countries.locate('8.8.8.8')
    await until(isDone)
  }
  assert.deepEqual(countries.locate('8.8.8.8'), NOWHERE)
  for (let i = 0; i < 3; i++) await later(() => true)
  assert.equal(lines.length, 1)

  await writeFile(file, mmdb({ '8.0.0.0/8': { country_code: 'US' } }))
  assert.equal(countries.locate('8.8.8.8').country, 'unknown', 'looks once a minute only')
  await later(() => countries.locate('8.8.8.8').country === 'US')
  assert.equal(countries.locate('8.8.8.8').country, 'US')

  await writeFile(file, 'not a database')
  await later(() => lines.length === 2)
  assert.equal(countries.locate('8.8.8.8').country, 'US', 'the last good file answers')
  assert.equal(lines.length, 2)

  await writeFile(file, mmdb({ '8.0.0.0/8': { country_code: 'FR' } }))
  await later(() => countries.locate('8.8.8.8').country === 'FR')
  assert.equal(countries.locate('8.8.8.8').country, 'FR')
})

test('a file cut at any byte never throws', async (t) => {
  const dir = await folder(t)
  const whole = mmdb({ '8.0.0.0/8': { country_code: 'US', city: 'Oakland' } })
  for (let length = 0; length < whole.length; length += 7) {
    const file = join(dir, `${length}.mmdb`)
    await writeFile(file, whole.subarray(0, length))
    await using countries = await openCountries(file, { log: listen().log, clock: Date.now })
    assert.equal(typeof countries.locate('8.8.8.8').country, 'string')
  }
})

test('every country has one of seven continents', () => {
  assert.equal(CONTINENTS.size, 250)
  for (const [country, continent] of CONTINENTS) {
    assert.match(country, /^[A-Z]{2}$/)
    assert.match(continent, /^(AF|AN|AS|EU|NA|OC|SA)$/)
  }
})
