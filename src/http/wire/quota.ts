/** The header fields of draft-ietf-httpapi-ratelimit-headers on answers that met a quota. */
export const QUOTA_HEADERS = {
  RateLimit: {
    type: 'string',
    description: 'What is left (`r`) and the seconds until it resets (`t`): `"calls";r=17;t=540`.',
  },
  'RateLimit-Policy': {
    type: 'string',
    description: 'The quotas in force, in calls (`q`) and seconds (`w`): `"calls";q=20;w=600`.',
  },
} as const;
