import { nearestNames } from '../../core/nearest-names.ts';
import { quote } from '../../core/quote.ts';

/** Zones of the IANA database have names of letters, digits and `_ + - /`; this keeps offsets such as +02:00 out. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/u;

const KNOWN_ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];

const CITIES: ReadonlyMap<string, string> = new Map(KNOWN_ZONES.map((zone) => [cityOf(zone), zone]));

/** Why `zone` names no time zone, with the nearest names; undefined when it names one. */
export function explainTimeZone(zone: string): string | undefined {
  if (isTimeZone(zone)) return undefined;
  const near = nearestZones(zone);
  const advice = /^[+-]\d|^Z$/iu.test(zone)
    ? 'Write an offset at the end of the date itself, such as 2026-03-29T10:00+02:00.'
    : near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : 'Write region and city, such as Europe/Berlin or America/New_York, or UTC.';
  return `\`time_zone\` ${quote(zone)} is no IANA time zone. ${advice}`;
}

function isTimeZone(zone: string): boolean {
  if (!ZONE_NAME.test(zone)) return false;
  // ICU takes a few three-letter names of its own that the database leaves out, and that Temporal refuses.
  if (zone.length === 3 && !DATABASE_ABBREVIATIONS.has(zone.toUpperCase())) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
}

const DATABASE_ABBREVIATIONS: ReadonlySet<string> = new Set([
  'CET',
  'EET',
  'EST',
  'GMT',
  'HST',
  'MET',
  'MST',
  'PRC',
  'ROC',
  'ROK',
  'UCT',
  'UTC',
  'WET',
]);

/** A city alone is the commonest slip: its zone comes first. */
function nearestZones(wanted: string): readonly string[] {
  const city = cityOf(wanted.slice(0, 64));
  const cities = nearestNames(city, [...CITIES.keys()], 3).filter((near) => near.length > 2);
  const zones = cities.flatMap((near) => CITIES.get(near) ?? []);
  return [...new Set([...zones, ...nearestNames(wanted, KNOWN_ZONES, 3)])].slice(0, 3);
}

function cityOf(zone: string): string {
  return zone
    .slice(zone.lastIndexOf('/') + 1)
    .replaceAll(/[ -]/gu, '_')
    .toLowerCase();
}
