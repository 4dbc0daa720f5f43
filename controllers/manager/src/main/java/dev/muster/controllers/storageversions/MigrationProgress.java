package dev.muster.controllers.storageversions;

import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.Optional;

/**
 * The progress of a migration, stored in an annotation.
 *
 * <p>It is valid only while the storage version has not changed since the migration began. For a
 * custom resource the definition's generation proves that. For a built-in resource only continuous
 * observation does: progress is valid within one term of a controller, and the next term reads all
 * objects again, which writes only what has to change.
 *
 * @param since objects written after this resourceVersion are in the storage version
 * @param next the token of the next page
 * @param generation of the definition; 0 for built-in resources
 * @param term of the controller that began
 * @param seen the number of objects read
 * @param rewritten the number of objects written
 */
record MigrationProgress(
    String since, String next, long generation, String term, long seen, long rewritten) {
  static final String ANNOTATION = "muster.dev/migration-progress";

  static MigrationProgress begin(String since, long generation, String term) {
    return new MigrationProgress(since, "", generation, term, 0, 0);
  }

  /** The content of the annotation; empty when it is absent or invalid. */
  static Optional<MigrationProgress> read(JsonObject migration) {
    var words = new HashMap<String, String>();
    for (var word :
        migration.object("metadata").object("annotations").string(ANNOTATION).split(" ")) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        words.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    try {
      return words.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new MigrationProgress(
                  words.getOrDefault("since", ""),
                  words.getOrDefault("next", ""),
                  Long.parseLong(words.getOrDefault("generation", "")),
                  words.getOrDefault("term", ""),
                  Long.parseLong(words.getOrDefault("seen", "")),
                  Long.parseLong(words.getOrDefault("rewritten", ""))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  String text() {
    return "seen=%d rewritten=%d since=%s generation=%d term=%s next=%s"
        .formatted(seen, rewritten, since, generation, term, next);
  }

  boolean counts(long nowGeneration, String nowTerm) {
    return generation == nowGeneration && (generation > 0 || term.equals(nowTerm));
  }

  MigrationProgress after(MigrationApi.Page page, long written) {
    return new MigrationProgress(
        since, page.next(), generation, term, seen + page.items().size(), rewritten + written);
  }

  /** Whether the object was written after the migration began, so that it needs no rewrite. */
  boolean covers(JsonObject metadata) {
    var version = metadata.object("metadata").string("resourceVersion");
    return version.length() == since.length()
        ? version.compareTo(since) > 0
        : version.length() > since.length();
  }

  String message() {
    return "%d objects seen, %d of them rewritten".formatted(seen, rewritten);
  }
}
