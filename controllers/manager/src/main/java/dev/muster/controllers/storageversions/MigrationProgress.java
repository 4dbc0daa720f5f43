package dev.muster.controllers.storageversions;

import dev.muster.model.json.JsonObject;
import java.util.HashMap;
import java.util.Optional;

/**
 * How far a migration is, kept in an annotation of it.
 *
 * <p>It counts only as long as the storage version has not changed since it began. A definition's
 * generation proves that for a custom resource. For a built-in one nothing does but having watched
 * all the time: so it counts within one term of a controller only, and the next one goes through
 * all objects again, which writes nothing where nothing has to be written.
 *
 * @param since everything written after this resource version is in the storage version
 * @param next where the next page begins
 * @param generation of the definition; 0 for built-in resources
 * @param term of the controller that began
 * @param seen how many objects were looked at
 * @param rewritten how many of them were written
 */
record MigrationProgress(
    String since, String next, long generation, String term, long seen, long rewritten) {
  static final String ANNOTATION = "muster.dev/migration-progress";

  static MigrationProgress begin(String since, long generation, String term) {
    return new MigrationProgress(since, "", generation, term, 0, 0);
  }

  /** What the annotation says; nothing when it is not there or not ours. */
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

  /** Whether somebody wrote the object after this began, so that it needs no other write. */
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
