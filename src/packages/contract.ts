import { Type, type Static } from 'typebox';

import { NAME_PATTERN, VERSION_PATTERN } from '../core/ref.ts';

/** Files of a package directory, source or prebuilt. */
export const LAUNCHER = 'launch';
export const SOURCE_MANIFEST = 'tool-package.json';
export const COMMAND_LIST = 'commands.json';
export const SCHEMA_DIRECTORY = 'schemas';
export const PREBUILT_MANIFEST = 'manifest.json';

/** A package that lists more is refused: no model can choose among so many. */
export const MAX_COMMANDS = 1_000;

const SHA256_PATTERN = '^sha256:[0-9a-f]{64}$';
const HOST_PATTERN = '^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})(:[0-9]{1,5})?$';
const STRICT = { additionalProperties: false } as const;

/** What a package says of itself, whole: names in it are settled, absent limits mean the operator's defaults. */
export const PackageManifestSchema = Type.Object(
  {
    name: Type.String({ pattern: NAME_PATTERN }),
    version: Type.String({ pattern: VERSION_PATTERN }),
    /** `./launch <command> -` reads the JSON from stdin, so that the process may be started before the call. */
    stdin: Type.Boolean(),
    /** A command reads the files of the request, from its working directory. */
    files: Type.Boolean(),
    /** Hosts that it wants to reach (`host` or `host:port`). The operator's policy grants them. */
    hosts: Type.Array(Type.String({ pattern: HOST_PATTERN }), { maxItems: 64 }),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
    idle_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
    memory_mb: Type.Optional(Type.Integer({ minimum: 16, maximum: 65_536 })),
  },
  STRICT,
);
export type PackageManifest = Static<typeof PackageManifestSchema>;

/** `tool-package.json` as an author writes it: all may be left out. */
export const SourceManifestSchema = Type.Partial(PackageManifestSchema, STRICT);
export type SourceManifest = Static<typeof SourceManifestSchema>;

const Description = Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' });

/** One entry of what `./launch` prints, and of `commands.json`. */
export const CommandListingSchema = Type.Object({
  name: Type.String({ pattern: NAME_PATTERN }),
  description: Description,
});
export type CommandListing = Static<typeof CommandListingSchema>;

export const CommandListSchema = Type.Array(CommandListingSchema, { maxItems: MAX_COMMANDS });

/** What `./launch <command>` prints, and `schemas/<command>.json`. Members that are not named here are dropped. */
export const CommandDescriptionSchema = Type.Object({
  name: Type.String({ pattern: NAME_PATTERN }),
  description: Description,
  params_json_schema: Type.Record(Type.String(), Type.Unknown()),
  triggers: Type.Optional(Type.Array(Type.String(), { maxItems: 32 })),
  examples: Type.Optional(
    Type.Array(
      Type.Object({ input: Type.String(), arguments: Type.Record(Type.String(), Type.Unknown()) }, STRICT),
      { maxItems: 32 },
    ),
  ),
  returns: Type.Optional(
    Type.Object(
      {
        type: Type.String(),
        description: Type.String(),
        properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      },
      STRICT,
    ),
  ),
  errors: Type.Optional(
    Type.Array(
      Type.Object({ code: Type.String(), description: Type.String(), resolution: Type.String() }, STRICT),
      { maxItems: 64 },
    ),
  ),
  /** Media types of the files that it can leave in `out/`. */
  produces: Type.Optional(
    Type.Array(
      Type.String({ pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$' }),
      {
        maxItems: 32,
      },
    ),
  ),
});
export type CommandDescription = Static<typeof CommandDescriptionSchema>;

const Sha256 = Type.String({ pattern: SHA256_PATTERN });
/** Relative to the package, `/` between parts, never climbing out (checked besides the pattern). */
const PackagePath = Type.String({ minLength: 1, maxLength: 1_024, pattern: '^[^/\\u0000]' });

const RegularFileSchema = Type.Object(
  { path: PackagePath, size_bytes: Type.Integer({ minimum: 0 }), sha256: Sha256, executable: Type.Boolean() },
  STRICT,
);
const LinkSchema = Type.Object({ path: PackagePath, link_to: Type.String({ minLength: 1 }) }, STRICT);

/** One thing inside a prebuilt package. Directories are not listed. */
export const PackageFileSchema = Type.Union([RegularFileSchema, LinkSchema]);
export type PackageFile = Static<typeof PackageFileSchema>;

/** `manifest.json` of a prebuilt package: what it is, what it was made from, and every file in it but itself. */
export const PrebuiltManifestSchema = Type.Object(
  {
    format: Type.Literal(1),
    package: PackageManifestSchema,
    /** Over the sources, as `build/hash-tree.ts` has it. */
    source_hash: Sha256,
    /** Over all in the builder that shapes the output; another builder means a rebuild. */
    builder: Sha256,
    /** Files outside the source directory that went into it (path from the source -> digest). */
    outside: Type.Record(Type.String(), Sha256),
    contents: Type.Array(PackageFileSchema),
  },
  STRICT,
);
export type PrebuiltManifest = Static<typeof PrebuiltManifestSchema>;
