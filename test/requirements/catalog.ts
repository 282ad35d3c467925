/** Seed 1, items 13 to 15: what the bundle approves, and what it never does. */
export const CATALOG_REQUIREMENTS = [
  { id: 'S1-13', text: 'repository skills are not in local; only their exact id@version reaches them' },
  { id: 'S1-14', text: 'the bundle is read against the built-ins alone; everything else expands no bundle' },
  { id: 'S1-15', text: 'no list of tools that local is given can make it cover a skill on disk' },
] as const;
