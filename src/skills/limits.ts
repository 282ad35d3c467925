/** Bounds of design section 6 and of the Agent Skills specification. Characters are code points. */
export const SKILL_LIMITS = {
  maxFiles: 512,
  maxTotalBytes: 16 * 1024 * 1024,
  /** Directories below the skill's own; a file directly in the skill directory has depth 1. */
  maxDepth: 6,
  maxPathBytes: 255,
  maxDirectoryEntries: 4096,
  maxNameCharacters: 64,
  maxDescriptionCharacters: 1024,
  maxBodyCharacters: 50_000,
  maxTemplateCharacters: 100_000,
  /** UTF-16 units that a template may grow to; the artifact cap of the policy applies to the bytes as well. */
  maxRenderedUnits: 16 * 1024 * 1024,
} as const;
