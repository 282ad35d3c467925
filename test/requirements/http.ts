/** Rows of the brief about the HTTP side. Each id is cited by the title of at least one test. */
export const HTTP_REQUIREMENTS = [
  { id: 'S1-1', text: 'A skill is a tool: one list, one way to describe and call both.' },
  { id: 'S1-4', text: 'The envelope has exactly name, media_type, base64 and size_bytes.' },
  { id: 'S1-5', text: "The artifact is lifted out of the model's context and offered for download." },
  {
    id: 'S1.3-5',
    text: 'The list shows what the caller may use, in a stable order, with an ETag; operators see the rest.',
  },
  {
    id: 'S1.3-6',
    text: 'A ref works unencoded and as %40; the description has schema, limits, origin and digest.',
  },
  { id: 'S1.3-8', text: 'A download has filename* for Unicode names and nosniff.' },
  { id: 'S1.3-9', text: "Arguments are not coerced, filled in or dropped as Fastify's defaults would." },
  { id: 'S1.3-11', text: "Fastify's own answers have the service's one shape." },
  { id: 'S1.3-13', text: 'Each error has one code, one status and no internals.' },
  { id: 'D48', text: 'Integers that a double cannot hold are refused.' },
  { id: 'D49', text: 'Numbers that are not finite are refused.' },
  { id: 'D51', text: 'Keys that aim at prototypes are refused, escaped ones too.' },
  { id: 'D52', text: 'Deep nesting is refused before anything recurses.' },
  { id: 'D54', text: 'No coercion and no removal; fault paths are exact.' },
  { id: 'D55', text: 'One media type for bodies; else 415.' },
  { id: 'D56', text: 'Bodies at the limit and beyond, chunked, compressed, slow, and with Expect.' },
  { id: 'D87', text: 'A file at the inline limit is in the envelope, above it is a link.' },
  { id: 'D91', text: 'A wrong, foreign, expired or guessed artifact is 404; ranges work.' },
];
